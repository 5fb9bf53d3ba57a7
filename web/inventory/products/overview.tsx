import { count } from '#web/components/format.ts'
import { Details } from './details.tsx'
import { Images } from './images.tsx'
import type { ProductTab } from './product-page.tsx'

export function Overview({ product }: ProductTab) {
  const { quantity_on_hand, reserved, available, incoming } = product
  return (
    <>
      <dl class="figures">
        {(
          [
            ['On hand', quantity_on_hand],
            ['Reserved', reserved],
            ['Available', available],
            ['Incoming', incoming],
          ] as const
        ).map(([name, n]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count(n)}</dd>
          </div>
        ))}
      </dl>
      <div class="columns">
        <Details product={product} />
        <Images product={product} />
      </div>
    </>
  )
}

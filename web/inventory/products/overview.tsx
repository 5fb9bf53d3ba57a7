import { count } from '#web/components/format.ts'
import type { Product } from '../api.ts'
import { Figures } from '../shared/figures.tsx'
import { Details } from './details.tsx'
import { Images } from './images.tsx'

export function Overview({ product }: { product: Product }) {
  const { quantity_on_hand, reserved, available, incoming } = product
  return (
    <>
      <Figures
        items={[
          ['On hand', count(quantity_on_hand)],
          ['Reserved', count(reserved)],
          ['Available', count(available)],
          ['Incoming', count(incoming)],
        ]}
      />
      <div class="columns">
        <Details product={product} />
        <Images product={product} />
      </div>
    </>
  )
}

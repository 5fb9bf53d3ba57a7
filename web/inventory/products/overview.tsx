import { Card, Facts } from '#web/components/card.tsx'
import { count } from '#web/components/format.ts'
import { When } from '#web/components/when.tsx'
import { amount } from '../shared/amounts.ts'
import { Figures } from '../shared/figures.tsx'
import { none } from '../shared/none.tsx'
import { Images } from './images.tsx'
import type { ProductTab } from './product-page.tsx'
import { trackingOptions } from './words.tsx'

export function Overview({ product }: ProductTab) {
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
        <Card title="Details">
          <Facts
            items={[
              ['Price', amount(product.base_price)],
              ['Cost', amount(product.cost_price)],
              ['Barcode', product.barcode ? <code key="barcode">{product.barcode}</code> : none],
              ['Category', product.category_name ?? none],
              ['Vendor', product.vendor ?? none],
              ['Tracking', trackingOptions.find(({ value }) => value === product.tracking_type)?.label],
              ['Weight', product.weight === null ? none : `${count(product.weight)} kg`],
              ['Description', product.description ?? none],
              ['Added', <When key="added" at={product.created_at} />],
            ]}
          />
        </Card>
        <Images product={product} />
      </div>
    </>
  )
}

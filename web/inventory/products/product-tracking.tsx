import { Layers } from 'lucide-preact'
import { Empty } from '#web/components/states.tsx'
import { BatchList } from '../tracking/batch-list.tsx'
import { SerialList } from '../tracking/serial-list.tsx'
import type { ProductTab } from './product-page.tsx'

export function ProductTracking({ product }: ProductTab) {
  if (product.tracking_type === 'batch') return <BatchList product={product} />
  if (product.tracking_type === 'serial') return <SerialList product={product} />
  return (
    <Empty
      icon={Layers}
      title="Tracked by quantity"
      text="The units of this product are counted, not told apart. Edit the product to track it by batch or by serial number; that can be changed while it has no stock."
    />
  )
}

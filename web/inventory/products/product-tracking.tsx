import { Layers } from 'lucide-preact'
import { Empty } from '#web/components/states.tsx'
import type { Product } from '../api.ts'
import { BatchList } from '../tracking/batch-list.tsx'
import { SerialList } from '../tracking/serial-list.tsx'

export function ProductTracking({ product }: { product: Product }) {
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

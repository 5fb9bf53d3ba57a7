import { useQuery } from '@tanstack/preact-query'
import { Dialog } from '#web/components/dialog.tsx'
import { count } from '#web/components/format.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import type { StockRow } from '../api.ts'
import { productQuery } from '../shared/products.ts'
import { AdjustQuantity } from './adjust-quantity.tsx'
import { AdjustSerials } from './adjust-serials.tsx'

/** By quantity, of a batch if the product has batches; or by serial numbers. */
export function Adjust({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const { data: product, error, refetch } = useQuery(productQuery(row.product_id))
  const props = { row, onClose }
  return (
    <Dialog title="Adjust" onClose={onClose}>
      <p>
        <strong>{row.product_name}</strong> in {row.warehouse_name}: {count(row.quantity)} on hand,{' '}
        {count(row.reserved_quantity)} reserved.
      </p>
      {product ? (
        product.tracking_type === 'serial' ? (
          <AdjustSerials {...props} />
        ) : (
          <AdjustQuantity {...props} hasBatches={product.tracking_type === 'batch'} />
        )
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Dialog>
  )
}

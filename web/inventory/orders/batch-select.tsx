import { useQuery } from '@tanstack/preact-query'
import type { Product, Schemas } from '../api.ts'
import { batchesOfQuery } from '../products/queries.ts'
import { day } from '../shared/days.ts'

type Props = {
  product: Product
  warehouseId: number
  value: number | null
  onChange: (id: number | null) => unknown
}

const describe = (batch: Schemas['Batch'], quantity: number) =>
  [batch.batch_number, `${quantity} here`, batch.expiry_date && `expires ${day(batch.expiry_date)}`]
    .filter(Boolean)
    .join(', ')

/** The batches of a product that a warehouse has. */
export function BatchSelect({ product, warehouseId, value, onChange }: Props) {
  const { data } = useQuery(batchesOfQuery(product.id))
  const here = (data ?? []).flatMap((batch) => {
    const quantity = batch.stock.find(({ warehouse_id }) => warehouse_id === warehouseId)?.quantity ?? 0
    return quantity > 0 ? [{ batch, quantity }] : []
  })
  return (
    <label class="field">
      <span>Batch</span>
      <select
        aria-label={`Batch of ${product.name}`}
        value={value === null ? '' : String(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value ? Number(currentTarget.value) : null)}
      >
        <option value="">Earliest expiry first</option>
        {here.map(({ batch, quantity }) => (
          <option key={batch.id} value={String(batch.id)}>
            {describe(batch, quantity)}
          </option>
        ))}
      </select>
    </label>
  )
}

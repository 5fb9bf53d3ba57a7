import { useQuery } from '@tanstack/preact-query'
import { api, type Product, type Schemas } from '../api.ts'
import { batchesOfQuery } from '../products/queries.ts'
import { day } from './days.ts'

type Props = {
  product: Product
  warehouseId: number
  value: number | null
  onChange: (id: number | null) => unknown
  /** What no choice means. */
  none?: string
}

const describe = (batch: Schemas['Batch'], quantity: number) =>
  [batch.batch_number, `${quantity} here`, batch.expiry_date && `expires ${day(batch.expiry_date)}`]
    .filter(Boolean)
    .join(', ')

/** The batches of a product that a warehouse has. */
export function BatchSelect({ product, warehouseId, value, onChange, none }: Props) {
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
        <option value="">{none ?? 'Earliest expiry first'}</option>
        {here.map(({ batch, quantity }) => (
          <option key={batch.id} value={String(batch.id)}>
            {describe(batch, quantity)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The batch of a product that has this number. */
export const batchNamed = async (product: Product, number: string) => {
  const { data } = await api.GET('/api/batches', {
    params: { query: { product_id: product.id, limit: 200 } },
  })
  const batch = data.batches.find(({ batch_number }) => batch_number === number)
  if (!batch) throw new Error(`${product.name} has no batch ${number}`)
  return batch
}

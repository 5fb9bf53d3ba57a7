import type { Product } from '../api.ts'
import { useBatchOptions } from '../shared/batches.ts'

type Props = {
  product: Product
  warehouseId: number
  value: number | null
  onChange: (id: number | null) => unknown
}

/** The batches of a product that a warehouse has. */
export function BatchSelect({ product, warehouseId, value, onChange }: Props) {
  const options = useBatchOptions(product.id, { warehouseId })
  return (
    <label class="field">
      <span>Batch</span>
      <select
        aria-label={`Batch of ${product.name}`}
        value={value === null ? '' : String(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value ? Number(currentTarget.value) : null)}
      >
        <option value="">Earliest expiry first</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

import type { FormState } from '#web/components/form-state.ts'
import { count } from '#web/components/format.ts'
import type { Column } from '#web/components/table.tsx'
import type { Supplier, Warehouse } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { QuantityInput } from '../shared/line-input.tsx'
import {
  type Choice,
  type Edit,
  type Edits,
  keyOf,
  numbersOf,
  type Suggestion,
  whyNow,
} from './suggestions.ts'

type Editing = {
  mayWrite: boolean
  suppliers: Supplier[]
  warehouses: Warehouse[]
  edits: Edits
  edit: (suggestion: Suggestion, more: Edit) => void
  form: FormState<{ items: Choice[] }>
}

export const suggestionColumns = (editing: Editing): Column<Suggestion>[] => [
  {
    key: 'product',
    title: 'Product',
    cell: ({ product_name, sku }) => (
      <span>
        {product_name} <code class="quiet">{sku}</code>
      </span>
    ),
  },
  ...(editing.warehouses.length > 1
    ? [{ key: 'warehouse', title: 'Warehouse', cell: (row: Suggestion) => row.warehouse_name }]
    : []),
  {
    key: 'why',
    title: 'Why',
    cell: (row) => (
      <span class="reason">
        <span>{whyNow(row)}</span>
        <span class="quiet">{numbersOf(row)}</span>
      </span>
    ),
  },
  { key: 'supplier', title: 'Supplier', width: '13rem', cell: (row) => supplierOf(row, editing) },
  {
    key: 'cost',
    title: 'Unit cost',
    align: 'end',
    width: '7rem',
    minor: true,
    cell: (row) => amount(row.unit_cost),
  },
  { key: 'quantity', title: 'Quantity', width: '10rem', cell: (row) => quantityOf(row, editing) },
]

/** Where nobody has delivered it yet, one chooses. */
const supplierOf = (row: Suggestion, { mayWrite, suppliers, edits, edit }: Editing) => {
  if (row.supplier_name !== null) return row.supplier_name
  if (!mayWrite) return <span class="quiet">Not known</span>
  return (
    <select
      aria-label={`Supplier of ${row.product_name}`}
      value={String(edits[keyOf(row)]?.supplier_id ?? '')}
      onChange={({ currentTarget: { value } }) =>
        edit(row, { supplier_id: value ? Number(value) : undefined })
      }
    >
      <option value="">Choose a supplier…</option>
      {suppliers.map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  )
}

const quantityOf = (row: Suggestion, { mayWrite, edits, edit, form }: Editing) => {
  if (!mayWrite) return count(row.suggested_quantity)
  const { quantity = row.suggested_quantity } = edits[keyOf(row)] ?? {}
  const at = form.values.value.items.findIndex(
    ({ product_id, warehouse_id }) => product_id === row.product_id && warehouse_id === row.warehouse_id,
  )
  return (
    <QuantityInput
      form={form}
      name={at < 0 ? undefined : `items[${at}].quantity`}
      of={row.product_name}
      value={quantity}
      onChange={(quantity) => edit(row, { quantity })}
    />
  )
}

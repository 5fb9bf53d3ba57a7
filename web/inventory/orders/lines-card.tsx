import { count } from '#web/components/format.ts'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Order, OrderItem } from '../api.ts'
import { amount, totalOf } from '../shared/amounts.ts'

/** Zero is the usual case, and should not look like something to read. */
const units = (n: number) => (n === 0 ? <span class="quiet">0</span> : count(n))

const number = (key: keyof OrderItem, title: string): Column<OrderItem> => ({
  key,
  title,
  align: 'end',
  width: '7rem',
  cell: (item) => units(Number(item[key])),
})

const columns: Column<OrderItem>[] = [
  { key: 'product', title: 'Product', cell: (item) => item.product_name },
  { key: 'sku', title: 'SKU', width: '9rem', cell: ({ sku }) => <code>{sku}</code> },
  number('quantity', 'Ordered'),
  number('quantity_reserved', 'Reserved'),
  number('quantity_backordered', 'Backordered'),
  number('quantity_fulfilled', 'Shipped'),
  number('quantity_returned', 'Returned'),
  {
    key: 'price',
    title: 'Unit price',
    align: 'end',
    width: '7rem',
    minor: true,
    cell: (item) => amount(item.unit_price),
  },
  { key: 'total', title: 'Total', align: 'end', width: '7rem', cell: (item) => amount(totalOf([item])) },
]

export function LinesCard({ order }: { order: Order }) {
  return (
    <DataTable
      label="Lines"
      columns={columns}
      rows={order.items}
      rowKey={({ id }) => String(id)}
      rowName={({ product_name }) => product_name}
      hrefOf={({ product_id }) => `/console/products/${product_id}`}
    />
  )
}

import { type Column, DataTable } from '#web/components/table.tsx'
import type { PurchaseOrder, PurchaseOrderItem } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { Units } from '../shared/units.tsx'
import { outstanding } from './delivery.ts'

const number = (
  key: string,
  title: string,
  of: (item: PurchaseOrderItem) => number,
): Column<PurchaseOrderItem> => ({
  key,
  title,
  align: 'end',
  width: '8rem',
  cell: (item) => <Units n={of(item)} />,
})

const columns: Column<PurchaseOrderItem>[] = [
  { key: 'product', title: 'Product', cell: (item) => item.product_name },
  { key: 'sku', title: 'SKU', width: '10rem', cell: ({ sku }) => <code>{sku}</code> },
  number('ordered', 'Ordered', ({ quantity }) => quantity),
  number('received', 'Received', ({ quantity_received }) => quantity_received),
  number('outstanding', 'Outstanding', outstanding),
  { key: 'cost', title: 'Unit cost', align: 'end', width: '8rem', cell: (item) => amount(item.unit_cost) },
  { key: 'total', title: 'Total', align: 'end', width: '8rem', cell: (item) => amount(item.line_total) },
]

export function LinesCard({ order }: { order: PurchaseOrder }) {
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

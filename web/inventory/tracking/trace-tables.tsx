import { count, date, fullTime } from '#web/components/format.ts'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Schemas } from '../api.ts'
import { none } from '../shared/none.tsx'
import { Units } from '../shared/units.tsx'

type Receipt = Schemas['BatchTrace']['receipts'][number]
type Shipment = Schemas['BatchTrace']['shipments'][number]

/** On paper "2 hours ago" says nothing. */
const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={fullTime(new Date(at))}>
    {date(new Date(at))}
  </time>
)

const receiptColumns: Column<Receipt>[] = [
  {
    key: 'supplier',
    title: 'Supplier',
    cell: (row) =>
      row.supplier_id === null ? (
        'Entered by hand'
      ) : (
        <a href={`/console/suppliers/${row.supplier_id}`}>{row.supplier_name}</a>
      ),
  },
  {
    key: 'paper',
    title: 'Purchase order',
    width: '10rem',
    cell: (row) =>
      row.po_number ? <a href={`/console/purchasing/${row.purchase_order_id}`}>{row.po_number}</a> : none,
  },
  { key: 'warehouse', title: 'Warehouse', width: '12rem', cell: (row) => row.warehouse_name },
  { key: 'when', title: 'Received', width: '9rem', cell: (row) => <Day at={row.received_at} /> },
  { key: 'quantity', title: 'Quantity', align: 'end', width: '6.5rem', cell: (row) => count(row.quantity) },
]

export const Receipts = ({ rows }: { rows: Receipt[] }) => (
  <DataTable
    label="Received from"
    columns={receiptColumns}
    rows={rows}
    rowKey={(row) => `${rows.indexOf(row)}`}
    rowName={(row) => row.supplier_name ?? row.warehouse_name}
    empty={<p class="quiet lines-empty">Nothing of this batch has been received.</p>}
  />
)

const contact = (row: Shipment) => [row.customer_email, row.customer_phone].filter(Boolean).join(', ') || none

const shipmentColumns: Column<Shipment>[] = [
  {
    key: 'customer',
    title: 'Customer',
    cell: (row) =>
      row.customer_id === null ? (
        'No customer'
      ) : (
        <a href={`/console/customers/${row.customer_id}`}>{row.customer_name}</a>
      ),
  },
  { key: 'contact', title: 'Contact', cell: contact },
  {
    key: 'order',
    title: 'Order',
    width: '8rem',
    cell: (row) => <a href={`/console/orders/${row.order_id}`}>{row.order_number}</a>,
  },
  { key: 'when', title: 'Shipped', width: '9rem', cell: (row) => <Day at={row.shipped_at} /> },
  { key: 'quantity', title: 'Quantity', align: 'end', width: '6.5rem', cell: (row) => count(row.quantity) },
  {
    key: 'returned',
    title: 'Returned',
    align: 'end',
    width: '6.5rem',
    cell: (row) => <Units n={row.quantity_returned} />,
  },
  {
    key: 'left',
    title: 'Has now',
    align: 'end',
    width: '6.5rem',
    cell: (row) => <Units n={row.quantity - row.quantity_returned} />,
  },
]

export const Shipments = ({ rows }: { rows: Shipment[] }) => (
  <DataTable
    label="Shipped to"
    columns={shipmentColumns}
    rows={rows}
    rowKey={(row) => String(row.order_id)}
    rowName={(row) => row.order_number}
    empty={<p class="quiet lines-empty">No customer has received any of this batch.</p>}
  />
)

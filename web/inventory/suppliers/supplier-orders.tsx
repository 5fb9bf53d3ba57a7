import { useQuery } from '@tanstack/preact-query'
import { Truck } from 'lucide-preact'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import type { PurchaseOrderSummary } from '../api.ts'
import { StatusBadge } from '../purchasing/words.tsx'
import { amount } from '../shared/amounts.ts'
import { day } from '../shared/days.ts'
import { useListPages } from '../shared/list-pages.ts'
import { none } from '../shared/none.tsx'
import { ordersOfSupplierQuery } from './queries.ts'

const columns: Column<PurchaseOrderSummary>[] = [
  { key: 'number', title: 'Purchase order', cell: (order) => order.po_number },
  {
    key: 'status',
    title: 'Status',
    width: '8rem',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: 'expected',
    title: 'Expected',
    width: '9rem',
    cell: ({ expected_date }) => (expected_date ? day(expected_date) : none),
  },
  { key: 'total', title: 'Total', align: 'end', width: '9rem', cell: (one) => amount(one.total_amount) },
  { key: 'created', title: 'Created', width: '9rem', cell: (order) => <When at={order.created_at} /> },
]

export function SupplierOrders({ supplierId }: { supplierId: number }) {
  const { page, limit, pagingOf } = useListPages()
  const { data, error, isFetching, refetch } = useQuery(
    ordersOfSupplierQuery({ supplier_id: supplierId, page, limit }),
  )
  return (
    <section class="part">
      <h2>Purchase orders</h2>
      <DataTable
        label="Purchase orders"
        columns={columns}
        rows={data?.purchase_orders}
        rowKey={({ id }) => String(id)}
        rowName={({ po_number }) => po_number}
        hrefOf={({ id }) => `/console/purchasing/${id}`}
        loading={isFetching}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        empty={
          <Empty
            icon={Truck}
            title="No purchase orders yet"
            text="Whatever you order from this supplier is listed here."
          />
        }
      />
    </section>
  )
}

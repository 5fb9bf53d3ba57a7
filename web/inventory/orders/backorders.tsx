import { useQuery } from '@tanstack/preact-query'
import { PackageCheck } from 'lucide-preact'
import { count } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Schemas } from '../api.ts'
import { day } from '../shared/days.ts'
import { useListPages } from '../shared/list-pages.ts'
import { OrderTabs } from './order-tabs.tsx'
import { backordersQuery, orderCountsQuery } from './queries.ts'

type Backorder = Schemas['Backorder']

const onTheWay = ({ incoming, expected_date }: Backorder) =>
  incoming === 0 ? (
    <span class="quiet">Nothing ordered</span>
  ) : (
    `${count(incoming)}${expected_date ? `, ${day(expected_date)}` : ''}`
  )

const columns: Column<Backorder>[] = [
  { key: 'product', title: 'Product', cell: (row) => row.product_name },
  { key: 'sku', title: 'SKU', width: '9rem', cell: ({ sku }) => <code>{sku}</code> },
  { key: 'order', title: 'Order', width: '8rem', cell: (row) => row.order_number },
  {
    key: 'customer',
    title: 'Customer',
    minor: true,
    cell: (row) => row.customer_name ?? <span class="quiet">–</span>,
  },
  { key: 'warehouse', title: 'Warehouse', minor: true, cell: (row) => row.warehouse_name },
  {
    key: 'waiting',
    title: 'Backordered',
    align: 'end',
    width: '8rem',
    cell: (row) => count(row.quantity_backordered),
  },
  { key: 'incoming', title: 'Incoming', align: 'end', width: '11rem', cell: onTheWay },
]

/** The lines that wait for stock, in the order in which they will be filled. */
export function Backorders() {
  const { page, limit, pagingOf } = useListPages()
  const { data, error, isPlaceholderData, refetch } = useQuery(backordersQuery({ page, limit }))
  const { data: counts } = useQuery(orderCountsQuery({}))
  return (
    <Page title="Backorders" tabs={<OrderTabs counts={counts} />}>
      <DataTable
        label="Backorders"
        columns={columns}
        rows={data?.backorders}
        rowKey={(row) => String(row.order_item_id)}
        rowName={(row) => `${row.product_name} of ${row.order_number}`}
        hrefOf={({ order_id }) => `/console/orders/${order_id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        empty={
          <Empty
            icon={PackageCheck}
            title="Nothing waits for stock"
            text="Lines of orders that had no stock when they were placed appear here until a receipt, a transfer or a return fills them."
          />
        }
      />
    </Page>
  )
}

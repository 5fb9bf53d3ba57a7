import { useQuery } from '@tanstack/preact-query'
import { ClipboardList, Download, Plus, ShoppingCart } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import { Button, LinkButton } from '#web/components/button.tsx'
import { DateFilter, Filter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import type { OrderStatus, OrderSummary } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { downloadCsv } from '../shared/download.ts'
import { useListPages } from '../shared/list-pages.ts'
import { OrderTabs } from './order-tabs.tsx'
import { type OrderFilter, orderCountsQuery, ordersQuery } from './queries.ts'
import { channelName, channelOptions, StatusBadge, statuses } from './words.tsx'

export const orderColumns: Column<OrderSummary>[] = [
  { key: 'order', title: 'Order', cell: (order) => order.order_number },
  {
    key: 'customer',
    title: 'Customer',
    cell: (order) => order.customer_name ?? <span class="quiet">–</span>,
  },
  { key: 'status', title: 'Status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'channel',
    title: 'Channel',
    width: '8rem',
    minor: true,
    cell: ({ channel }) => channelName(channel),
  },
  {
    key: 'items',
    title: 'Lines',
    align: 'end',
    width: '5rem',
    minor: true,
    cell: (order) => count(order.item_count),
  },
  { key: 'total', title: 'Total', align: 'end', width: '8rem', cell: (order) => amount(order.total_amount) },
  { key: 'created', title: 'Created', width: '9rem', cell: (order) => <When at={order.created_at} /> },
]

export const orderHref = ({ id }: { id: number }) => `/console/orders/${id}`

/** What the address says, as far as it can be true. */
const filterOf = (query: Record<string, string>): OrderFilter => ({
  search: query.search?.trim() || undefined,
  from: query.from || undefined,
  to: query.to || undefined,
  channel: channelOptions.find(({ value }) => value === query.channel)?.value as OrderFilter['channel'],
})

export function Orders() {
  const [query, change] = useQueryParams()
  const { route } = useLocation()
  const { page, limit, pagingOf } = useListPages()
  const filter = filterOf(query)
  const status = statuses.find((one) => one === query.status) as OrderStatus | undefined
  const to_ship = query.to_ship === 'true' || undefined
  // The tabs count them, which may take longer than to list them.
  const { data, error, isPlaceholderData, refetch } = useQuery(
    ordersQuery({ ...filter, status, to_ship, page, limit, count: false }),
  )
  const { data: counts } = useQuery(orderCountsQuery(filter))
  const total = to_ship ? counts?.to_ship : status ? counts?.by_status[status] : counts?.total
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  const isFiltered = Object.values(filter).some(Boolean)
  const hasAny = isFiltered || status !== undefined || to_ship || (total ?? 0) > 0
  const newOrder = (
    <Button kind="primary" icon={Plus} onClick={() => route('/console/orders/new')}>
      New order
    </Button>
  )
  return (
    <Page
      title="Orders"
      actions={
        hasAny && (
          <>
            <Button
              icon={Download}
              onClick={() => downloadCsv('/api/orders/export', { ...filter, status, to_ship }, 'orders.csv')}
            >
              Export CSV
            </Button>
            {newOrder}
          </>
        )
      }
      tabs={<OrderTabs counts={counts} />}
    >
      <DataTable
        label="Orders"
        columns={orderColumns}
        rows={data?.orders}
        rowKey={({ id }) => String(id)}
        rowName={({ order_number }) => order_number}
        hrefOf={orderHref}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        selection={{
          actions: (chosen) => (
            <LinkButton
              icon={ClipboardList}
              href={`/console/orders/pick-list?order_ids=${chosen.map(({ id }) => id).join()}`}
            >
              Pick list
            </LinkButton>
          ),
        }}
        paging={pagingOf(total)}
        filtered={isFiltered || status !== undefined || to_ship === true}
        onClear={() => route('/console/orders')}
        toolbar={
          hasAny && (
            <>
              <SearchField
                label="Search orders"
                placeholder="Number or customer"
                value={query.search ?? ''}
                onInput={(search) => set({ search })}
              />
              <DateFilter label="From" value={query.from ?? ''} onChange={(from) => set({ from })} />
              <DateFilter label="To" value={query.to ?? ''} onChange={(to) => set({ to })} />
              <Filter
                label="Channel"
                value={filter.channel ?? ''}
                options={[{ value: '', label: 'All channels' }, ...channelOptions]}
                onChange={(channel) => set({ channel })}
              />
            </>
          )
        }
        empty={
          <Empty
            icon={ShoppingCart}
            title="No orders yet"
            text="An order reserves stock for a customer as soon as it is placed, until it is shipped or cancelled."
            action={newOrder}
          />
        }
      />
    </Page>
  )
}

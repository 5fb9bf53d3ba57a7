import { useQuery } from '@tanstack/preact-query'
import { PackagePlus, Plus, Truck } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import type { PurchaseOrderSummary } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { day, dayFromNow } from '../shared/days.ts'
import { useListPages } from '../shared/list-pages.ts'
import { none } from '../shared/none.tsx'
import { StatusTabs } from '../shared/status-tabs.tsx'
import { suppliersQuery } from '../shared/suppliers.ts'
import { type PurchaseFilter, purchaseCountsQuery, purchaseOrdersQuery } from './queries.ts'
import { isAwaited, StatusBadge, statuses } from './words.tsx'

const list = '/console/purchasing'

const Expected = ({ order: { expected_date, status } }: { order: PurchaseOrderSummary }) => {
  if (!expected_date) return none
  const isLate = isAwaited(status) && expected_date < dayFromNow(0)
  return (
    <>
      {day(expected_date)} {isLate && <Badge tone="warn">Late</Badge>}
    </>
  )
}

export const purchaseColumns: Column<PurchaseOrderSummary>[] = [
  { key: 'number', title: 'Purchase order', cell: (order) => order.po_number },
  { key: 'supplier', title: 'Supplier', cell: (order) => order.supplier_name },
  { key: 'status', title: 'Status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'expected', title: 'Expected', width: '11rem', cell: (order) => <Expected order={order} /> },
  {
    key: 'lines',
    title: 'Lines',
    align: 'end',
    width: '5rem',
    minor: true,
    cell: (order) => count(order.item_count),
  },
  {
    key: 'units',
    title: 'Received',
    align: 'end',
    width: '9rem',
    cell: ({ units, units_received }) => `${count(units_received)} of ${count(units)}`,
  },
  { key: 'total', title: 'Total', align: 'end', width: '8rem', cell: (order) => amount(order.total_amount) },
  {
    key: 'created',
    title: 'Created',
    width: '9rem',
    minor: true,
    cell: (order) => <When at={order.created_at} />,
  },
]

export function PurchaseOrders() {
  const [query, change] = useQueryParams()
  const { route } = useLocation()
  const { can } = useSession()
  const { page, limit, pagingOf } = useListPages()
  const { data: suppliers = [] } = useQuery(suppliersQuery)
  const filter: PurchaseFilter = {
    search: query.search?.trim() || undefined,
    supplier_id: Number(query.supplier_id) || undefined,
  }
  const status = statuses.find((one) => one === query.status)
  const due = query.due === 'true' || undefined
  const { data, error, isPlaceholderData, refetch } = useQuery(
    purchaseOrdersQuery({ ...filter, status, due, page, limit }),
  )
  const { data: counts } = useQuery(purchaseCountsQuery(filter))
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  const isFiltered = Boolean(filter.search || filter.supplier_id || status || due)
  const hasAny = isFiltered || (data?.total ?? 0) > 0
  const reorder = (
    <Button icon={PackagePlus} onClick={() => route(`${list}/reorder`)}>
      Reorder
    </Button>
  )
  const create = can('purchase.write') && (
    <Button kind="primary" icon={Plus} onClick={() => route(`${list}/new`)}>
      New purchase order
    </Button>
  )
  return (
    <Page
      title="Purchasing"
      actions={
        <>
          {reorder}
          {hasAny && create}
        </>
      }
      tabs={
        <StatusTabs
          label="Purchase order status"
          list={list}
          statuses={statuses}
          counts={counts}
          special={{ label: 'Due', param: 'due', count: counts?.due }}
        />
      }
    >
      <DataTable
        label="Purchase orders"
        columns={purchaseColumns}
        rows={data?.purchase_orders}
        rowKey={({ id }) => String(id)}
        rowName={({ po_number }) => po_number}
        hrefOf={({ id }) => `${list}/${id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        filtered={isFiltered}
        onClear={() => route(list)}
        toolbar={
          hasAny && (
            <>
              <SearchField
                label="Search purchase orders"
                placeholder="Number or supplier"
                value={query.search ?? ''}
                onInput={(search) => set({ search })}
              />
              <Filter
                label="Supplier"
                value={query.supplier_id ?? ''}
                options={[
                  { value: '', label: 'All suppliers' },
                  ...suppliers.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
                onChange={(supplier_id) => set({ supplier_id })}
              />
            </>
          )
        }
        empty={
          <Empty
            icon={Truck}
            title="No purchase orders yet"
            text="A purchase order says what a supplier will deliver, and when. What arrives is received against it."
            action={create}
          />
        }
      />
    </Page>
  )
}

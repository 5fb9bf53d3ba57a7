import { useQuery } from '@tanstack/preact-query'
import { ShoppingCart } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import { Filter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { DataTable } from '#web/components/table.tsx'
import type { Product } from '../api.ts'
import { orderColumns, orderHref } from '../orders/orders.tsx'
import { orderCountsQuery, ordersQuery } from '../orders/queries.ts'
import { statuses } from '../orders/words.tsx'
import { useListPages } from '../shared/list-pages.ts'
import { capital } from '../shared/words.ts'

/** The orders that contain a product, the newest first. */
export function ProductOrders({ product }: { product: Product }) {
  const { path, route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const filter = { product_id: product.id, search: query.search?.trim() || undefined }
  const status = statuses.find((one) => one === query.status)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    ordersQuery({ ...filter, status, page, limit }),
  )
  const { data: counts } = useQuery(orderCountsQuery(filter))
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  const isFiltered = filter.search !== undefined || status !== undefined
  const named = (label: string, n: number | undefined) => (n === undefined ? label : `${label} (${count(n)})`)
  return (
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
      paging={pagingOf(data?.total)}
      filtered={isFiltered}
      onClear={() => route(path)}
      toolbar={
        (isFiltered || (data?.total ?? 0) > 0) && (
          <>
            <SearchField
              label="Search orders"
              placeholder="Number or customer"
              value={query.search ?? ''}
              onInput={(search) => set({ search })}
            />
            <Filter
              label="Status"
              value={status ?? ''}
              options={[
                { value: '', label: named('All statuses', counts?.total) },
                ...statuses.map((value) => ({
                  value,
                  label: named(capital(value), counts?.by_status[value]),
                })),
              ]}
              onChange={(value) => set({ status: value })}
            />
          </>
        )
      }
      empty={
        <Empty
          icon={ShoppingCart}
          title="No orders yet"
          text="Every order with a line of this product is listed here."
        />
      }
    />
  )
}

import { useQuery } from '@tanstack/preact-query'
import { ClipboardCheck, Plus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import type { Count, CountStatus } from '../api.ts'
import { useListPages } from '../shared/list-pages.ts'
import { warehousesQuery } from '../shared/warehouses.ts'
import { NewCount } from './new-count.tsx'
import { countsQuery } from './queries.ts'
import { CountBadge, statusOptions } from './words.tsx'

const dash = <span class="quiet">–</span>

const columns: Column<Count>[] = [
  { key: 'count', title: 'Count', cell: (row) => row.count_number },
  { key: 'status', title: 'Status', width: '8rem', cell: ({ status }) => <CountBadge status={status} /> },
  { key: 'warehouse', title: 'Warehouse', cell: (row) => row.warehouse_name },
  { key: 'category', title: 'Category', cell: (row) => row.category_name ?? 'All products' },
  { key: 'notes', title: 'Notes', minor: true, cell: ({ notes }) => notes ?? dash },
  { key: 'lines', title: 'Lines', align: 'end', width: '6rem', cell: (row) => count(row.line_count) },
  { key: 'by', title: 'Started by', minor: true, cell: (row) => row.created_by_name ?? dash },
  { key: 'when', title: 'Started', width: '9rem', cell: (row) => <When at={row.created_at} /> },
]

export function Counts() {
  const { route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const [isNew, setNew] = useState(false)
  const { data: warehouses } = useQuery(warehousesQuery)
  const status = statusOptions.find(({ value }) => value === query.status)?.value as CountStatus | undefined
  const warehouse_id = Number(query.warehouse) || undefined
  const { data, error, isPlaceholderData, refetch } = useQuery(
    countsQuery({ status, warehouse_id, page, limit }),
  )
  const isFiltered = status !== undefined || warehouse_id !== undefined
  const hasAny = isFiltered || (data?.total ?? 0) > 0
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  const newCount = (
    <Button act kind="primary" icon={Plus} onClick={() => setNew(true)}>
      New count
    </Button>
  )
  return (
    <Page
      title="Count stock"
      breadcrumb={[{ label: 'Stock', href: '/console/stock' }]}
      actions={hasAny && newCount}
    >
      <DataTable
        label="Counts"
        columns={columns}
        rows={data?.counts}
        rowKey={({ id }) => String(id)}
        rowName={({ count_number }) => count_number}
        hrefOf={({ id }) => `/console/counts/${id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        filtered={isFiltered}
        onClear={() => route('/console/counts')}
        toolbar={
          hasAny && (
            <>
              <Filter
                label="Status"
                value={status ?? ''}
                options={[{ value: '', label: 'All statuses' }, ...statusOptions]}
                onChange={(value) => set({ status: value })}
              />
              <Filter
                label="Warehouse"
                value={query.warehouse ?? ''}
                options={[
                  { value: '', label: 'All warehouses' },
                  ...(warehouses ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
                onChange={(warehouse) => set({ warehouse })}
              />
            </>
          )
        }
        empty={
          <Empty
            icon={ClipboardCheck}
            title="No counts yet"
            text="In a count, people enter what they see on the shelves while orders go on. Then the stock is corrected by the differences."
            action={newCount}
          />
        }
      />
      {isNew && warehouses && <NewCount warehouses={warehouses} onClose={() => setNew(false)} />}
    </Page>
  )
}

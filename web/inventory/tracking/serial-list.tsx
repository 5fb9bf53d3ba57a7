import { useQuery } from '@tanstack/preact-query'
import { Plus, ScanBarcode } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import type { Product, Serial } from '../api.ts'
import { useListPages } from '../shared/list-pages.ts'
import { ProductFilter } from '../shared/product-filter.tsx'
import { WarehouseFilter } from '../shared/warehouse-filter.tsx'
import { AddSerials } from './add-serials.tsx'
import { type SerialFilter, serialsQuery } from './queries.ts'
import { useSerialSteps } from './serial-steps.tsx'
import { SerialStatus, statusNames } from './words.tsx'

const columns: Column<Serial>[] = [
  { key: 'serial', title: 'Serial number', cell: (serial) => <code>{serial.serial_number}</code> },
  { key: 'product', title: 'Product', cell: (serial) => serial.product_name },
  { key: 'warehouse', title: 'Warehouse', width: '12rem', cell: (serial) => serial.warehouse_name },
  { key: 'status', title: 'Status', width: '8rem', cell: ({ status }) => <SerialStatus status={status} /> },
  {
    key: 'added',
    title: 'Received',
    width: '9rem',
    minor: true,
    cell: (serial) => <When at={serial.created_at} />,
  },
]

const statusOptions = Object.entries(statusNames).map(([value, label]) => ({ value, label }))

const filterOf = (query: Record<string, string>, product: Product | undefined): SerialFilter => ({
  product_id: product?.id ?? (Number(query.product) || undefined),
  warehouse_id: Number(query.warehouse) || undefined,
  status: statusOptions.find(({ value }) => value === query.status)?.value as SerialFilter['status'],
  search: query.search?.trim() || undefined,
})

/** Serials of a product or of all, the newest first. */
export function SerialList({ product }: { product?: Product }) {
  const { can } = useSession()
  const { path, route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const [isAdding, setAdding] = useState(false)
  const { stepsOf, question } = useSerialSteps()
  const filter = filterOf(query, product)
  const { data, error, isPlaceholderData, refetch } = useQuery(serialsQuery({ ...filter, page, limit }))
  const set = (changes: Record<string, string | number | null>) => change({ ...changes, page: null })
  const isFiltered = ['product', 'warehouse', 'status', 'search'].some((name) => query[name])
  const hasAny = isFiltered || (data?.total ?? 0) > 0
  const first = can('tracking.write') && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add serials
    </Button>
  )
  return (
    <>
      <DataTable
        label="Serials"
        columns={product ? columns.filter(({ key }) => key !== 'product') : columns}
        rows={data?.serials}
        rowKey={({ id }) => String(id)}
        rowName={({ serial_number }) => serial_number}
        hrefOf={({ id }) => `/console/tracking/serials/${id}`}
        {...(can('tracking.write') ? { actions: stepsOf } : {})}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        filtered={isFiltered}
        onClear={() => route(path)}
        toolbar={
          hasAny && (
            <>
              <SearchField
                label="Search serials"
                placeholder="Beginning of the number"
                value={query.search ?? ''}
                onInput={(search) => set({ search })}
              />
              {!product && (
                <ProductFilter value={filter.product_id} onChange={(id) => set({ product: id })} />
              )}
              <WarehouseFilter value={query.warehouse ?? ''} onChange={(warehouse) => set({ warehouse })} />
              <Filter
                label="Status"
                value={filter.status ?? ''}
                options={[{ value: '', label: 'All statuses' }, ...statusOptions]}
                onChange={(status) => set({ status })}
              />
              {first}
            </>
          )
        }
        empty={
          <Empty
            icon={ScanBarcode}
            title="No serials yet"
            text="A serial is one unit with a number of its own, known from its supplier to its customer. Receiving a purchase order creates them, or add them here."
            action={first}
          />
        }
      />
      {question}
      {isAdding && <AddSerials product={product} onClose={() => setAdding(false)} />}
    </>
  )
}

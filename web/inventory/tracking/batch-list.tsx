import { useQuery } from '@tanstack/preact-query'
import { Layers, Plus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { latest } from '#web/components/latest.ts'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import type { Batch, Product } from '../api.ts'
import { type BatchFilter, batchesQuery } from '../shared/batches.ts'
import { useListPages } from '../shared/list-pages.ts'
import { none } from '../shared/none.tsx'
import { ProductFilter } from '../shared/product-filter.tsx'
import { Units } from '../shared/units.tsx'
import { WarehouseFilter } from '../shared/warehouse-filter.tsx'
import { EditBatch } from './edit-batch.tsx'
import { NewBatch } from './new-batch.tsx'
import { Expiry } from './words.tsx'

const place = ({ stock }: Batch) => {
  const [first, ...others] = stock
  if (!first) return none
  const names = stock.map(({ warehouse_name, quantity }) => `${warehouse_name}: ${count(quantity)}`)
  return (
    <span title={names.join(', ')}>
      {first.warehouse_name}
      {others.length > 0 && <span class="quiet"> +{others.length}</span>}
    </span>
  )
}

const columns: Column<Batch>[] = [
  { key: 'batch', title: 'Batch', cell: (batch) => <code>{batch.batch_number}</code> },
  { key: 'product', title: 'Product', cell: (batch) => batch.product_name },
  { key: 'warehouse', title: 'Warehouse', width: '12rem', cell: place },
  {
    key: 'quantity',
    title: 'On hand',
    align: 'end',
    width: '6.5rem',
    cell: ({ quantity }) => <Units n={quantity} />,
  },
  { key: 'expiry', title: 'Expiry', width: '14rem', cell: (batch) => <Expiry day={batch.expiry_date} /> },
  {
    key: 'received',
    title: 'Received',
    width: '9rem',
    minor: true,
    cell: (batch) => <When at={batch.created_at} />,
  },
]

/** How many days ahead one looks, and what the address says if it is something else. */
const horizons = (days: string | undefined) =>
  [...new Set(['7', '30', '90', ...(days ? [days] : [])])].map((value) => ({
    value,
    label: value === '0' ? 'Expired or today' : `Within ${value} days`,
  }))

const filterOf = (query: Record<string, string>, product: Product | undefined): BatchFilter => ({
  product_id: product?.id ?? (Number(query.product) || undefined),
  warehouse_id: Number(query.warehouse) || undefined,
  expiring_days: /^\d{1,5}$/.test(query.expiring ?? '') ? Number(query.expiring) : undefined,
  on_hand: query.stock !== 'all' || undefined,
  search: query.search?.trim() || undefined,
})

/** Batches of a product or of all, the earliest expiry first. */
export function BatchList({ product }: { product?: Product }) {
  const { can } = useSession()
  const { path, route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const [open, setOpen] = useState<Batch | 'new' | null>(null)
  const filter = filterOf(query, product)
  const { data, error, isPlaceholderData, refetch } = useQuery(batchesQuery({ ...filter, page, limit }))
  const set = (changes: Record<string, string | number | null>) => change({ ...changes, page: null })
  const isFiltered = ['product', 'warehouse', 'expiring', 'search', 'stock'].some((name) => query[name])
  const days = filter.expiring_days === undefined ? '' : String(filter.expiring_days)
  const first = can('tracking.write') && (
    <Button kind="primary" icon={Plus} onClick={() => setOpen('new')}>
      New batch
    </Button>
  )
  return (
    <>
      <DataTable
        label="Batches"
        columns={product ? columns.filter(({ key }) => key !== 'product') : columns}
        rows={data?.batches}
        rowKey={({ id }) => String(id)}
        rowName={({ batch_number }) => batch_number}
        hrefOf={({ id }) => `/console/tracking/batches/${id}`}
        actions={(batch) => [
          { label: 'Trace', href: `/console/tracking/batches/${batch.id}` },
          ...(can('tracking.write') ? [{ label: 'Edit', onSelect: () => setOpen(batch) }] : []),
        ]}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        filtered={isFiltered}
        onClear={() => route(path)}
        toolbar={
          <>
            <SearchField
              label="Search batches"
              placeholder="Batch or lot number"
              value={query.search ?? ''}
              onInput={(search) => set({ search })}
            />
            {!product && <ProductFilter value={filter.product_id} onChange={(id) => set({ product: id })} />}
            <WarehouseFilter value={query.warehouse ?? ''} onChange={(warehouse) => set({ warehouse })} />
            <Filter
              label="Expiry"
              value={days}
              options={[{ value: '', label: 'Any expiry' }, ...horizons(days)]}
              onChange={(expiring) => set({ expiring })}
            />
            <Filter
              label="Shown"
              value={query.stock ?? ''}
              options={[
                { value: '', label: 'On hand' },
                { value: 'all', label: 'Also used up' },
              ]}
              onChange={(stock) => set({ stock })}
            />
            {(isFiltered || (data?.total ?? 0) > 0) && first}
          </>
        }
        empty={
          <Empty
            icon={Layers}
            title="No batches on hand"
            text="A batch is what was made or delivered together, with one expiry date. Receiving a purchase order creates them, or enter one here."
            action={first}
          />
        }
      />
      {open === 'new' && <NewBatch product={product} onClose={() => setOpen(null)} />}
      {open && open !== 'new' && (
        <EditBatch batch={latest(open, data?.batches)} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

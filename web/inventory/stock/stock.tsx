import { useQuery } from '@tanstack/preact-query'
import { Boxes, ClipboardCheck } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { searchOf } from '../scan/codes.ts'
import { useListPages } from '../shared/list-pages.ts'
import { WarehouseFilter } from '../shared/warehouse-filter.tsx'
import { type StockFilter, stockQuery } from './queries.ts'
import { StockTable } from './stock-table.tsx'

const states = [
  { value: '', label: 'All levels' },
  { value: 'low', label: 'Low' },
  { value: 'out', label: 'Out' },
]

export function Stock() {
  const { route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const filter: StockFilter = {
    warehouse_id: Number(query.warehouse) || undefined,
    state: states.find(({ value }) => value === query.state)?.value as StockFilter['state'],
    search: searchOf(query.search),
  }
  filter.state ||= undefined
  const isFiltered = Object.values(filter).some(Boolean)
  const { data, error, isPlaceholderData, refetch } = useQuery(stockQuery({ ...filter, page, limit }))
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  return (
    <Page
      title="Stock"
      actions={
        <Button icon={ClipboardCheck} onClick={() => route('/console/counts')}>
          Count stock
        </Button>
      }
    >
      <StockTable
        of="product"
        rows={data?.inventory}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        filtered={isFiltered}
        onClear={() => route('/console/stock')}
        toolbar={
          <>
            <SearchField
              label="Search stock"
              placeholder="Name, SKU or barcode"
              value={query.search ?? ''}
              onInput={(search) => set({ search })}
            />
            <WarehouseFilter value={query.warehouse ?? ''} onChange={(warehouse) => set({ warehouse })} />
            <Filter
              label="Level"
              value={query.state ?? ''}
              options={states}
              onChange={(state) => set({ state })}
            />
          </>
        }
        empty={
          <Empty
            icon={Boxes}
            title="No stock yet"
            text="Every product has a row here for each warehouse that keeps it. Create a product first."
          />
        }
      />
    </Page>
  )
}

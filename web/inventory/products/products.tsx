import { useQuery } from '@tanstack/preact-query'
import { Download, Package, Plus, Upload } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { useSession } from '#web/frame/session.ts'
import type { Product } from '../api.ts'
import { searchOf } from '../scan/codes.ts'
import { amount } from '../shared/amounts.ts'
import { downloadCsv } from '../shared/download.ts'
import { useListPages } from '../shared/list-pages.ts'
import { Units } from '../shared/units.tsx'
import { categoriesQuery } from './categories.ts'
import { NewProduct } from './new-product.tsx'
import { type ProductSort, productsQuery } from './queries.ts'
import { ProductStatus } from './words.tsx'

const units = (
  key: 'quantity_on_hand' | 'reserved' | 'available' | 'incoming',
  title: string,
): Column<Product> => ({
  key,
  title,
  align: 'end',
  width: '6.5rem',
  cell: (product) => <Units n={product[key]} />,
})

const columns: Column<Product>[] = [
  { key: 'name', title: 'Name', sort: 'name', cell: ({ name }) => name },
  { key: 'sku', title: 'SKU', sort: 'sku', width: '10rem', cell: ({ sku }) => <code>{sku}</code> },
  {
    key: 'price',
    title: 'Price',
    sort: 'base_price',
    align: 'end',
    width: '8rem',
    cell: ({ base_price }) => amount(base_price),
  },
  units('quantity_on_hand', 'On hand'),
  units('reserved', 'Reserved'),
  units('available', 'Available'),
  units('incoming', 'Incoming'),
  { key: 'status', title: 'Status', width: '8rem', cell: (product) => <ProductStatus {...product} /> },
]

const sorts: ProductSort[] = ['name', '-name', 'sku', '-sku', 'base_price', '-base_price']
const states = [
  { value: '', label: 'All statuses' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

export function Products() {
  const { can } = useSession()
  const { route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const [isNew, setNew] = useState(false)
  const { data: categories } = useQuery(categoriesQuery)
  const search = searchOf(query.search)
  const category = Number(query.category) || undefined
  const active = { active: true, inactive: false }[query.status ?? '']
  const sort = sorts.find((one) => one === query.sort)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    productsQuery({ search, category, active, sort, page, limit }),
  )
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  const isFiltered = search !== undefined || category !== undefined || active !== undefined
  const hasAny = isFiltered || (data?.total ?? 0) > 0
  const first = can('product.write') && (
    <>
      <Button icon={Upload} onClick={() => route('/console/products/import')}>
        Import CSV
      </Button>
      <Button act kind="primary" icon={Plus} onClick={() => setNew(true)}>
        New product
      </Button>
    </>
  )
  return (
    <Page
      title="Products"
      actions={
        hasAny && (
          <>
            <Button icon={Download} onClick={() => downloadCsv('/api/products/export', {}, 'products.csv')}>
              Export CSV
            </Button>
            {first}
          </>
        )
      }
    >
      <DataTable
        label="Products"
        columns={columns}
        rows={data?.products}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        hrefOf={({ id }) => `/console/products/${id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        sort={{ by: sort ?? '', onSort: (by) => set({ sort: by }) }}
        filtered={isFiltered}
        onClear={() => route('/console/products')}
        toolbar={
          hasAny && (
            <>
              <SearchField
                label="Search products"
                placeholder="Name, SKU or barcode"
                value={query.search ?? ''}
                onInput={(text) => set({ search: text })}
              />
              {categories && categories.length > 0 && (
                <Filter
                  label="Category"
                  value={query.category ?? ''}
                  options={[
                    { value: '', label: 'All categories' },
                    ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
                  ]}
                  onChange={(id) => set({ category: id })}
                />
              )}
              <Filter
                label="Status"
                value={query.status ?? ''}
                options={states}
                onChange={(status) => set({ status })}
              />
            </>
          )
        }
        empty={
          <Empty
            icon={Package}
            title="No products yet"
            text="A product is what you buy, keep and sell. Enter them one by one, or bring a whole list as CSV."
            action={first}
          />
        }
      />
      {isNew && <NewProduct onClose={() => setNew(false)} />}
    </Page>
  )
}

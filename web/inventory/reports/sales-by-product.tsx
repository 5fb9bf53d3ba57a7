import { useQuery } from '@tanstack/preact-query'
import { count } from '#web/components/format.ts'
import { Page, type PageProps } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Schemas } from '../api.ts'
import { amount, share } from '../shared/amounts.ts'
import { useListPages } from '../shared/list-pages.ts'
import { ExportReport } from './export-report.tsx'
import { NothingSold } from './nothing-sold.tsx'
import { PeriodFilter, usePeriod } from './period-filter.tsx'
import { type SalesSort, salesQuery } from './queries.ts'
import { SalesFigures } from './sales-figures.tsx'

type Sold = Schemas['CogsItem']

const figure = (key: 'revenue' | 'cogs' | 'gross_margin', title: string): Column<Sold> => ({
  key,
  title,
  sort: key,
  align: 'end',
  width: '9rem',
  cell: (row) => amount(row[key]),
})

const columns: Column<Sold>[] = [
  { key: 'name', title: 'Product', cell: (row) => row.product_name },
  { key: 'sku', title: 'SKU', width: '10rem', minor: true, cell: ({ sku }) => <code>{sku}</code> },
  { key: 'units', title: 'Units', sort: 'quantity', align: 'end', width: '7rem', cell: (row) => count(row.quantity) },
  figure('revenue', 'Revenue'),
  figure('cogs', 'Cost of goods'),
  figure('gross_margin', 'Margin'),
  { key: 'share', title: 'Margin %', align: 'end', width: '7rem', minor: true, cell: (row) => share(row.gross_margin_pct) },
] // biome-ignore format: a table

const figures = ['quantity', 'revenue', 'cogs', 'gross_margin']
const sortOf = (asked = '') => (figures.includes(asked.replace(/^-/, '')) ? asked : '-revenue') as SalesSort

/** What was sold of each product, the one that earned most first. */
export function SalesByProduct(page: PageProps) {
  const [query, change] = useQueryParams()
  const { from, to, isChosen } = usePeriod()
  const pages = useListPages()
  const sort = sortOf(query.sort)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    salesQuery({ from, to, sort, page: pages.page, limit: pages.limit }),
  )
  return (
    <Page
      {...page}
      actions={
        <ExportReport
          path="/api/reports/cogs/export"
          query={{ from, to, sort }}
          name="sales-by-product.csv"
        />
      }
    >
      <PeriodFilter shown={data} />
      {data && data.total > 0 && !error && <SalesFigures {...data.summary} />}
      <DataTable
        label="Sales by product"
        columns={columns}
        rows={data?.items}
        rowKey={(row) => String(row.product_id)}
        rowName={(row) => row.product_name}
        hrefOf={(row) => `/console/products/${row.product_id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pages.pagingOf(data?.total)}
        sort={{ by: sort, onSort: (by) => change({ sort: by, page: null }) }}
        empty={<NothingSold isChosen={isChosen} />}
      />
    </Page>
  )
}

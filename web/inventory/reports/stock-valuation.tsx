import { useQuery } from '@tanstack/preact-query'
import { Boxes } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Chart } from '#web/components/chart.tsx'
import { DateFilter } from '#web/components/filter.tsx'
import { count } from '#web/components/format.ts'
import { Page, type PageProps } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { Empty, ErrorState, Skeleton } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Schemas } from '../api.ts'
import { amount, unitCost } from '../shared/amounts.ts'
import { useListPages } from '../shared/list-pages.ts'
import { ExportReport } from './export-report.tsx'
import { dayIn, periodName, plusDays, secondsOf } from './period.ts'
import { valuationQuery, valueHistoryQuery } from './queries.ts'

const columns: Column<Schemas['ValuedRow']>[] = [
  { key: 'name', title: 'Product', cell: (row) => row.product_name },
  { key: 'sku', title: 'SKU', width: '10rem', minor: true, cell: ({ sku }) => <code>{sku}</code> },
  { key: 'warehouse', title: 'Warehouse', width: '12rem', cell: (row) => row.warehouse_name },
  { key: 'quantity', title: 'On hand', align: 'end', width: '7rem', cell: (row) => count(row.quantity) },
  { key: 'cost', title: 'Unit cost', align: 'end', width: '9rem', cell: (row) => unitCost(row.unit_cost) },
  { key: 'value', title: 'Value', align: 'end', width: '9rem', cell: (row) => amount(row.total_value) },
] // biome-ignore format: a table

/** What the stock is worth, or was at the end of a day. */
export function StockValuation(page: PageProps) {
  const [query, change] = useQueryParams()
  const { route } = useLocation()
  const pages = useListPages()
  const as_of = dayIn(query.as_of)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    valuationQuery({ as_of, page: pages.page, limit: pages.limit }),
  )
  const setDay = (day: string | null) => change({ as_of: day, page: null })
  return (
    <Page
      {...page}
      actions={
        <ExportReport path="/api/reports/inventory/export" query={{ as_of }} name="stock-valuation.csv" />
      }
    >
      <div class="toolbar">
        <DateFilter label="As of" value={query.as_of ?? data?.valuation_date ?? ''} onChange={setDay} />
      </div>
      {data && !error && (
        <>
          <dl class="figures">
            <div>
              <dt>Stock value</dt>
              <dd>{amount(data.total_value)}</dd>
            </div>
            <div>
              <dt>Stock rows</dt>
              <dd>{count(data.total)}</dd>
            </div>
          </dl>
          <ValueOverTime until={data.valuation_date} />
        </>
      )}
      <DataTable
        label="Stock valuation"
        columns={columns}
        rows={data?.items}
        rowKey={(row) => `${row.product_id}-${row.warehouse_id}`}
        rowName={(row) => row.product_name}
        hrefOf={(row) => `/console/products/${row.product_id}`}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pages.pagingOf(data?.total)}
        empty={
          as_of ? (
            <Empty
              icon={Boxes}
              title="Nothing on hand on that day"
              text="The valuation is calculated from the movements up to the end of a day."
              action={<Button onClick={() => setDay(null)}>Show today</Button>}
            />
          ) : (
            <Empty
              icon={Boxes}
              title="No stock yet"
              text="Whatever is on hand is listed here, at the average of what it cost."
              action={
                <Button kind="primary" onClick={() => route('/console/stock')}>
                  Stock
                </Button>
              }
            />
          )
        }
      />
    </Page>
  )
}

const shownDays = 90

const ValueOverTime = ({ until }: { until: string }) => {
  const { data, error, refetch } = useQuery(
    valueHistoryQuery({ from: plusDays(until, 1 - shownDays), to: until }),
  )
  if (error) return <ErrorState error={error} retry={refetch} />
  if (!data) return <Skeleton lines={5} />
  return (
    <Chart
      title="Stock value"
      unit="money"
      format={(value) => amount(value)}
      xs={data.periods.map(({ period }) => secondsOf(period))}
      formatX={(seconds) => periodName(new Date(seconds * 1000).toISOString().slice(0, 10), 'day')}
      series={[{ label: 'Value', values: data.periods.map((row) => Number(row.total_value)) }]}
    />
  )
}

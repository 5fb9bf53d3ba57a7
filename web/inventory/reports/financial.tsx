import { useQuery } from '@tanstack/preact-query'

import { Chart } from '#web/components/chart.tsx'
import { Filter } from '#web/components/filter.tsx'
import { Page, type PageProps } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Schemas } from '../api.ts'
import { amount, share } from '../shared/amounts.ts'
import { useListPages } from '../shared/list-pages.ts'
import { ExportReport } from './export-report.tsx'
import { NothingSold } from './nothing-sold.tsx'
import { type Grouping, periodName, secondsOf, usualGrouping } from './period.ts'
import { PeriodFilter, usePeriod } from './period-filter.tsx'
import { financialQuery } from './queries.ts'
import { SalesFigures } from './sales-figures.tsx'

type Period = Schemas['Period']

const groupings: { value: Grouping; label: string }[] = [
  { value: 'day', label: 'By day' },
  { value: 'week', label: 'By week' },
  { value: 'month', label: 'By month' },
]

const columnsBy = (by: Grouping): Column<Period>[] => [
  { key: 'period', title: 'Period', cell: ({ period }) => periodName(period, by) },
  { key: 'revenue', title: 'Revenue', align: 'end', width: '9rem', cell: ({ revenue }) => amount(revenue) },
  { key: 'cogs', title: 'Cost of goods', align: 'end', width: '9rem', cell: ({ cogs }) => amount(cogs) },
  { key: 'margin', title: 'Margin', align: 'end', width: '9rem', cell: (row) => amount(row.gross_margin) },
  {
    key: 'share',
    title: 'Margin %',
    align: 'end',
    width: '7rem',
    minor: true,
    cell: (row) => share(row.gross_margin_pct),
  },
]

/** Revenue, cost and margin over time: drawn, and as a table. */
export function Financial(page: PageProps) {
  const [query, change] = useQueryParams()
  const { from, to, isChosen } = usePeriod()
  const by = groupings.find(({ value }) => value === query.group_by)?.value ?? usualGrouping(from, to)
  const asked = { from, to, group_by: by }
  const { data, error, refetch } = useQuery(financialQuery(asked))
  return (
    <Page
      {...page}
      actions={<ExportReport path="/api/reports/financial/export" query={asked} name="financial.csv" />}
    >
      <PeriodFilter shown={data}>
        <Filter
          label="Group by"
          value={by}
          options={groupings}
          onChange={(group_by) => change({ group_by, page: null })}
        />
      </PeriodFilter>
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : data.periods.every(({ revenue, cogs }) => Number(revenue) === 0 && Number(cogs) === 0) ? (
        <NothingSold isChosen={isChosen} />
      ) : (
        <>
          <SalesFigures {...data.summary} />
          <Drawn periods={data.periods} by={by} />
          <PeriodTable periods={data.periods} by={by} />
        </>
      )}
    </Page>
  )
}

const Drawn = ({ periods, by }: Shown) => (
  <Chart
    title="Revenue, cost and margin"
    unit="money"
    format={(value) => amount(value)}
    xs={periods.map(({ period }) => secondsOf(period))}
    formatX={(seconds) => periodName(new Date(seconds * 1000).toISOString().slice(0, 10), by)}
    series={[
      { label: 'Revenue', values: periods.map((row) => Number(row.revenue)) },
      { label: 'Cost of goods', values: periods.map((row) => Number(row.cogs)) },
      { label: 'Margin', values: periods.map((row) => Number(row.gross_margin)) },
    ]}
  />
)

/** The newest first. */
const PeriodTable = ({ periods, by }: Shown) => {
  const { page, limit, pagingOf } = useListPages()
  return (
    <DataTable
      label="Financial"
      columns={columnsBy(by)}
      rows={periods.toReversed().slice((page - 1) * limit, page * limit)}
      rowKey={({ period }) => period}
      rowName={({ period }) => periodName(period, by)}
      paging={pagingOf(periods.length)}
    />
  )
}

type Shown = { periods: Period[]; by: Grouping }

import { queryOptions, useQuery } from '@tanstack/preact-query'
import { Chart } from '#web/components/chart.tsx'
import { count } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { DataTable } from '#web/components/table.tsx'
import { api, type Schemas } from '../api.ts'
import { orderColumns, orderHref } from '../orders/orders.tsx'
import { amount, share } from '../shared/amounts.ts'
import { toDos } from './to-dos.ts'

type TodayFigures = Schemas['Today']

const todayQuery = queryOptions({
  queryKey: ['today'],
  queryFn: async ({ signal }) => (await api.GET('/api/reports/today', { signal })).data,
})

/** What needs a hand, how it has been going, and what came in last. */
export function Today() {
  const { data, error, refetch } = useQuery(todayQuery)
  return (
    <Page title="Today">
      {data ? (
        <>
          <ToDos figures={data} />
          <Month {...data.last_30_days} />
          <section class="part">
            <h2>Newest orders</h2>
            <DataTable
              label="Newest orders"
              columns={orderColumns}
              rows={data.recent_orders}
              rowKey={({ id }) => String(id)}
              rowName={({ order_number }) => order_number}
              hrefOf={orderHref}
              empty={<p class="quiet lines-empty">No orders yet.</p>}
            />
          </section>
        </>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}

/** Each number leads to exactly that list. */
const ToDos = ({ figures }: { figures: TodayFigures }) => (
  <ul class="figures to-dos">
    {toDos(figures).map(({ label, n, href, tone }) => {
      const look = n > 0 ? tone : 'nothing'
      return (
        <li key={label}>
          <a href={href} class={look}>
            <span class="figure-label">{label}</span> <span class="figure">{count(n)}</span>
          </a>
        </li>
      )
    })}
  </ul>
)

const secondsOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000
const dayOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

const Month = ({ days, revenue, orders, gross_margin, gross_margin_pct }: TodayFigures['last_30_days']) => {
  const xs = days.map(({ date }) => secondsOf(date))
  return (
    <>
      <dl class="figures">
        <div>
          <dt>Revenue, 30 days</dt>
          <dd>{amount(revenue)}</dd>
        </div>
        <div>
          <dt>Orders, 30 days</dt>
          <dd>{count(orders)}</dd>
        </div>
        <div>
          <dt>Margin, 30 days</dt>
          <dd>
            {amount(gross_margin)} <span class="quiet figure-share">{share(gross_margin_pct)}</span>
          </dd>
        </div>
      </dl>
      <div class="columns">
        <Chart
          title="Revenue and margin"
          unit="money"
          format={(value) => amount(value)}
          xs={xs}
          formatX={dayOf}
          series={[
            { label: 'Revenue', values: days.map((day) => Number(day.revenue)) },
            { label: 'Margin', values: days.map((day) => Number(day.gross_margin)) },
          ]}
        />
        <Chart
          title="Orders"
          unit="orders"
          format={count}
          whole
          xs={xs}
          formatX={dayOf}
          series={[{ label: 'Orders', values: days.map((day) => day.orders) }]}
        />
      </div>
    </>
  )
}

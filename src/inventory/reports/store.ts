import type { Sql } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'
import type { Page } from '../lists.ts'
import type { Sold } from './ranking.ts'
import type { CogsItem, Financial, GroupBy, ValuedRow, ValueHistory } from './schema.ts'

export type Today = {
  revenue: string
  orders: number
  units_sold: number
  open_orders: number
}

/** Orders created today, and open orders. Both are counted in indexes alone. */
export const findOrdersOfToday = async (q: Sql, tenantId: number, now: Date) =>
  one(q<Today[]>`
    select o.*, (select count(*) from inventory.orders
      where tenant_id = ${tenantId} and status in ('pending', 'paid', 'fulfilling')) as open_orders
    from (select inventory.today(${tenantId}, ${now}) as today) d, lateral (
      select coalesce(sum(total_amount), 0.00) as revenue, count(*) as orders,
        coalesce(sum(unit_count), 0)::bigint as units_sold
      from inventory.orders where tenant_id = ${tenantId} and status <> 'cancelled'
        and created_at >= inventory.day_start(${tenantId}, d.today)
        and created_at < inventory.day_start(${tenantId}, d.today + 1)) o`)

/** Orders placed on each day, cancelled ones left out. Counted in an index alone. */
export const countByDay = (q: Sql, tenantId: number, { from, to }: Range) => q<
  { day: string; orders: number }[]
>`
  select (o.created_at at time zone t.timezone)::date as day, count(*) as orders
  from inventory.tenants t join inventory.orders o on o.tenant_id = t.id
  where t.id = ${tenantId} and o.status <> 'cancelled' and o.created_at >= inventory.day_start(${tenantId}, ${from})
    and o.created_at < inventory.day_start(${tenantId}, ${to}::date + 1)
  group by 1`

type Range = { from: string; to: string }

type Figures = Financial['summary']

/** From the sums by day and the changes that have not been added to them yet. Without revenue the margin is 0. */
export const findFinancial = async (q: Sql, tenantId: number, { from, to }: Range, by: GroupBy) => {
  const rows = await q<(Figures & { period: string | null })[]>`
    with sold as (
      select date_trunc(${by}, day)::date as period, sum(revenue) as revenue, sum(cogs) as cogs from (
        select day, revenue, cogs from inventory.sales_days
        where tenant_id = ${tenantId} and day between ${from} and ${to}
        union all
        select day, revenue, cogs from inventory.sales_changes
        where tenant_id = ${tenantId} and day between ${from} and ${to}) days
      group by 1
    ), periods as (
      select p::date as period, coalesce(s.revenue, 0) as revenue, coalesce(s.cogs, 0) as cogs
      from generate_series(date_trunc(${by}, ${from}::date::timestamp), ${to}::date::timestamp, ('1 ' || ${by})::interval) p
      left join sold s on s.period = p::date
    ), summed as (
      select period, sum(revenue) as revenue, sum(cogs) as cogs from periods group by grouping sets (period, ())
    )
    select to_char(period, ${by === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD'}) as period, round(revenue, 2) as revenue,
      round(cogs, 2) as cogs, round(revenue - cogs, 2) as gross_margin,
      case when revenue = 0 then 0.00 else round(100 * (revenue - cogs) / revenue, 2) end as gross_margin_pct
    from summed order by summed.period nulls last`
  const { period: _, ...summary } = rows.pop() as Figures & { period: null }
  return { summary, periods: rows as Financial['periods'] }
}

/** The last day whose sales cannot change any more, and the time zone that days are counted in. */
export const findSettled = async (q: Sql, tenantId: number, moment: Date) =>
  one(q<{ timezone: string; day: string }[]>`
    select timezone, (${moment}::timestamptz at time zone timezone)::date - 1 as day
    from inventory.tenants where id = ${tenantId}`)

type SoldRow = { product_id: number; units: number; revenue: string; cogs: string }

/** By product: whole months from the sums by month, and the days at both ends from the sums by day. */
export const listSold = async (q: Sql, tenantId: number, { from, to }: Range): Promise<Sold[]> => {
  const rows = await q<SoldRow[]>`
    with bounds as (
      select first, last, case when first <= last then first - 1 else ${to}::date end as head_end,
        case when first <= last then last + 1 end as tail_start
      from (select date_trunc('month', ${from}::date::timestamp + interval '1 month - 1 day')::date as first,
        date_trunc('month', ${to}::date::timestamp + interval '1 day')::date - 1 as last) b
    )
    select product_id, sum(units)::bigint as units, trunc(sum(revenue) * 100) as revenue, trunc(sum(cogs) * 100) as cogs
    from (
      select m.product_id, m.units, m.revenue, m.cogs from bounds b join inventory.product_sales_months m
        on m.tenant_id = ${tenantId} and m.month between b.first and b.last
      union all
      select d.product_id, d.units, d.revenue, d.cogs from bounds b join inventory.product_sales_days d
        on d.tenant_id = ${tenantId} and d.day between ${from} and b.head_end
      union all
      select d.product_id, d.units, d.revenue, d.cogs from bounds b join inventory.product_sales_days d
        on d.tenant_id = ${tenantId} and d.day between b.tail_start and ${to}
      union all
      select product_id, units, revenue, cogs from inventory.sales_changes
      where tenant_id = ${tenantId} and day between ${from} and ${to}) parts
    group by product_id`
  return rows.map((row) => ({ ...row, revenue: BigInt(row.revenue), cogs: BigInt(row.cogs) }))
}

/** The rows of the report for these products, in the same order. */
export const describeSold = (q: Sql, tenantId: number, sold: readonly Sold[]) => q<CogsItem[]>`
  select s.product_id, p.sku, p.name as product_name, s.units as quantity, round(s.revenue, 2) as revenue,
    round(s.cogs, 2) as cogs, round(s.revenue - s.cogs, 2) as gross_margin,
    case when s.revenue = 0 then 0.00 else round(100 * (s.revenue - s.cogs) / s.revenue, 2) end as gross_margin_pct
  from (
    select product_id, units, revenue::numeric / 100 as revenue, cogs::numeric / 100 as cogs, position
    from rows from (jsonb_to_recordset(${q.json(sold.map(asText))})
      as (product_id bigint, units bigint, revenue text, cogs text))
    with ordinality as r (product_id, units, revenue, cogs, position)) s
  join inventory.products p on p.tenant_id = ${tenantId} and p.id = s.product_id
  order by s.position`
const asText = (row: Sold) => ({ ...row, revenue: String(row.revenue), cogs: String(row.cogs) })

type Place = Pick<ValuedRow, 'product_id' | 'warehouse_id'>
type Part = Pick<Page, 'limit' | 'offset'> & { after?: Place }

/** Before all others. */
const first: Place = { product_id: 0, warehouse_id: 0 }

export const listValuedNow = (q: Sql, tenantId: number, { after = first, limit, offset }: Part) => q<
  ValuedRow[]
>`
  select s.product_id, p.sku, p.name as product_name, s.warehouse_id, w.name as warehouse_name, s.quantity,
    p.average_cost as unit_cost, round(s.quantity * p.average_cost, 2) as total_value
  from (select * from inventory.stock where tenant_id = ${tenantId} and quantity > 0
      and (product_id, warehouse_id) > (${after.product_id}, ${after.warehouse_id})
    order by product_id, warehouse_id limit ${limit} offset ${offset}) s
  join inventory.products p on p.tenant_id = ${tenantId} and p.id = s.product_id
  join inventory.warehouses w on w.tenant_id = ${tenantId} and w.id = s.warehouse_id
  order by s.product_id, s.warehouse_id`

/** The value of the stock at the end of a day: the sum of all changes up to it. */
export const findWorthThen = async (q: Sql, tenantId: number, asOf: string) =>
  one(q<{ total_value: string; total: number }[]>`
    select coalesce(round(sum(value), 2), 0.00) as total_value, coalesce(sum(items), 0)::bigint as total from (
      select value, items from inventory.valuation_days where tenant_id = ${tenantId} and day <= ${asOf}
      union all
      select value, items from inventory.valuation_changes where tenant_id = ${tenantId} and day <= ${asOf}) days`)

/** What the stock was worth at the end of each period: the changes up to it, added up. */
export const listWorth = (q: Sql, tenantId: number, { from, to }: Range, by: GroupBy) => q<
  ValueHistory['periods']
>`
  with changes as (
    select day, value, items from inventory.valuation_days where tenant_id = ${tenantId} and day <= ${to}
    union all
    select day, value, items from inventory.valuation_changes where tenant_id = ${tenantId} and day <= ${to}
  ), periods as (
    select p::date as period, coalesce(sum(value), 0) as value, coalesce(sum(items), 0) as items
    from generate_series(date_trunc(${by}, ${from}::date::timestamp), ${to}::date::timestamp, ('1 ' || ${by})::interval) p
    left join changes on greatest(date_trunc(${by}, day), date_trunc(${by}, ${from}::date::timestamp)) = p
    group by 1
  )
  select to_char(period, ${by === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD'}) as period,
    round(sum(value) over upto, 2) as total_value, (sum(items) over upto)::bigint as items
  from periods window upto as (order by periods.period) order by periods.period`

/** Some of what was on hand at the end of a day, according to the ledger. */
export const listValuedThen = (
  q: Sql,
  tenantId: number,
  asOf: string,
  { after = first, limit, offset }: Part,
) => q<ValuedRow[]>`
  select s.product_id, (p).sku, (p).name as product_name, s.warehouse_id, warehouse_name, s.quantity, s.unit_cost,
    round(s.quantity * s.unit_cost, 2) as total_value
  from (
    -- Row by row: how many rows a page has is not known to the planner, who would rather read every product.
    select s.*, (select p from inventory.products p where p.tenant_id = ${tenantId} and p.id = s.product_id) as p,
      (select name from inventory.warehouses w where w.tenant_id = ${tenantId} and w.id = s.warehouse_id)
        as warehouse_name
    from inventory.valued_then(${tenantId}, ${asOf}, ${after.product_id}, ${after.warehouse_id}, ${limit}, ${offset}) s
    offset 0) s
  order by s.product_id, s.warehouse_id`

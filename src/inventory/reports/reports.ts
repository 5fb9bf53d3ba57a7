import { listing } from '#platform/db/listing.ts'
import { badRequest } from '#platform/errors.ts'
import { countExpiring } from '../batches/batches.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, type Page, pageInfo, pageOf } from '../lists.ts'
import { listOrders, periodOf } from '../orders/orders.ts'
import { findOpenWork } from '../orders/overview.ts'
import { countDue } from '../purchasing/purchasing.ts'
import { todayOf } from '../settings/settings.ts'
import { summarize } from '../stock/stock.ts'
import { pageWith, type RankedBy, rankings } from './ranking.ts'
import type { CogsQuery, GroupBy, PeriodQuery, ValuationQuery } from './schema.ts'
import * as store from './store.ts'

const mostPeriods = 50_000
const shortest = { day: 1, week: 7, month: 28 }
const recent = { page: 1, limit: 10 }

type Range = { from: string; to: string }

export const dashboard = async (ctx: Inventory, me: Principal) => {
  const [{ revenue, orders, units_sold, open_orders }, sums, { orders: recent_orders }] = await Promise.all([
    store.findOrdersOfToday(ctx.db.sql, me.tenantId, ctx.clock.now()),
    summarize(ctx, me),
    listOrders(ctx, me, recent),
  ])
  return {
    today: { revenue, orders, units_sold },
    open_orders,
    low_stock_count: sums.low_stock_count,
    out_of_stock_count: sums.out_of_stock_count,
    recent_orders,
  }
}

const salesByDay = async (ctx: Inventory, me: Principal) => {
  const range = await periodOf(ctx, me, {})
  const [{ summary, periods }, counts] = await Promise.all([
    store.findFinancial(ctx.db.sql, me.tenantId, range, 'day'),
    store.countByDay(ctx.db.sql, me.tenantId, range),
  ])
  const ordersOn = new Map(counts.map(({ day, orders }) => [day, orders]))
  const { cogs: _, ...sums } = summary
  return {
    ...range,
    orders: counts.reduce((sum, { orders }) => sum + orders, 0),
    ...sums,
    days: periods.map(({ period: date, cogs: _, ...figures }) => ({
      date,
      orders: ordersOn.get(date) ?? 0,
      ...figures,
    })),
  }
}

/** What needs a hand, and how the last days went. */
export const today = async (ctx: Inventory, me: Principal) => {
  const [work, sums, purchase_orders_due, batches_expiring, last_30_days, { orders: recent_orders }] =
    await Promise.all([
      findOpenWork(ctx, me),
      summarize(ctx, me),
      countDue(ctx, me),
      countExpiring(ctx, me),
      salesByDay(ctx, me),
      listOrders(ctx, me, recent),
    ])
  return {
    ...work,
    low_stock: sums.low_stock_count - sums.out_of_stock_count,
    out_of_stock: sums.out_of_stock_count,
    purchase_orders_due,
    batches_expiring,
    last_30_days,
    recent_orders,
  }
}

const rangeOf = async (ctx: Inventory, me: Principal, query: PeriodQuery, by: GroupBy) => {
  const range = await periodOf(ctx, me, query)
  const days = (Date.parse(range.to) - Date.parse(range.from)) / 86_400_000 + 1
  if (days / shortest[by] > mostPeriods)
    badRequest(`A report has at most ${mostPeriods} periods: ask for fewer days, or group by week or month`)
  return range
}

export const financial = async (ctx: Inventory, me: Principal, query: PeriodQuery) => {
  const by = query.group_by ?? 'day'
  const range = await rangeOf(ctx, me, query, by)
  return { ...range, ...(await store.findFinancial(ctx.db.long, me.tenantId, range, by)) }
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** Longer than any transaction lasts and any two clocks differ: no movement is added further back than this. */
const settledMs = 15 * 60_000

/**
 * What was sold by product, page by page. Past days do not change any more, so their ranking is cached, and what was
 * sold since is merged into it.
 */
export const rankSales = async (ctx: Inventory, me: Principal, { from, to }: Range, by: RankedBy) => {
  const settledBefore = new Date(ctx.clock.now().getTime() - settledMs)
  const settled = await store.findSettled(ctx.db.sql, me.tenantId, settledBefore)
  const closed = settled.day < to ? settled.day : to
  const sold = (period: Range) =>
    period.from > period.to ? Promise.resolve([]) : store.listSold(ctx.db.long, me.tenantId, period)
  const [ranking, more] = await Promise.all([
    rankings(ctx)([me.tenantId, settled.timezone, from, closed].join(), by, () => sold({ from, to: closed })),
    sold({ from: closed < from ? from : dayAfter(closed), to }),
  ])
  return (page: Omit<Page, 'page'>) => pageWith(ranking, more, page)
}

/** By product; with `group_by` also by period. */
export const cogs = async (ctx: Inventory, me: Principal, query: CogsQuery) => {
  const { group_by } = query
  const by = group_by ?? 'month'
  const range = await rangeOf(ctx, me, query, by)
  const page = pageOf(query, longPage)
  const [{ summary, periods }, pageOfSales] = await Promise.all([
    store.findFinancial(ctx.db.long, me.tenantId, range, by),
    rankSales(ctx, me, range, query.sort),
  ])
  const ranked = pageOfSales(page)
  return {
    ...range,
    total_cogs: summary.cogs,
    summary,
    items: await store.describeSold(ctx.db.sql, me.tenantId, ranked.page),
    ...pageInfo(page, ranked.total),
    ...(group_by ? { periods } : {}),
  }
}

/** What the stock was worth at the end of each day, week or month. */
export const valueHistory = async (ctx: Inventory, me: Principal, query: PeriodQuery) => {
  const by = query.group_by ?? 'day'
  const range = await rangeOf(ctx, me, query, by)
  return { ...range, periods: await store.listWorth(ctx.db.long, me.tenantId, range, by) }
}

/** Today's totals are maintained by warehouse, those of past days by day; the rows of a past day are in the ledger. */
export const valuation = async (ctx: Inventory, me: Principal, query: ValuationQuery) => {
  const page = pageOf(query, longPage)
  const today = await todayOf(ctx, me)
  if (query.as_of === undefined || query.as_of >= today) {
    const [items, sums] = await Promise.all([
      store.listValuedNow(listing(ctx.db, page), me.tenantId, page),
      summarize(ctx, me),
    ])
    const total = sums.warehouses.reduce((n, w) => n + w.total_skus, 0) - sums.out_of_stock_count
    return {
      valuation_date: query.as_of ?? today,
      total_value: sums.total_stock_value,
      items,
      ...pageInfo(page, total),
    }
  }
  const [items, worth] = await Promise.all([
    store.listValuedThen(ctx.db.long, me.tenantId, query.as_of, page),
    store.findWorthThen(ctx.db.long, me.tenantId, query.as_of),
  ])
  return { valuation_date: query.as_of, ...worth, items, ...pageInfo(page, worth.total) }
}

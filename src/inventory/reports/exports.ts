import { csvStream, numeric, runsAfter } from '#platform/csv.ts'
import type { Inventory, Principal } from '../context.ts'
import { periodOf } from '../orders/orders.ts'
import { todayOf } from '../settings/settings.ts'
import { financial, rankSales } from './reports.ts'
import type { CogsExport, PeriodExport, ValuationExport, ValuedRow } from './schema.ts'
import * as store from './store.ts'

const atOnce = 1000
const figures = ['revenue', 'cogs', 'gross_margin', 'gross_margin_pct'] as const
type Figures = Record<(typeof figures)[number], string>

const cellsOf = (row: Figures) => figures.map((name) => numeric(row[name]))

export const exportFinancial = async (ctx: Inventory, me: Principal, { bom, ...query }: PeriodExport) => {
  const { periods } = await financial(ctx, me, query)
  const batches = async function* () {
    yield periods.map((row) => [numeric(row.period), ...cellsOf(row)])
  }
  return csvStream(['period', ...figures], batches(), { bom })
}

/** All of it as it was at one moment, described part by part. */
export const exportSales = async (ctx: Inventory, me: Principal, { bom, sort, ...days }: CogsExport) => {
  const pageOfSales = await rankSales(ctx, me, await periodOf(ctx, me, days), sort)
  const batches = async function* () {
    for (let offset = 0; ; offset += atOnce) {
      const { page, total } = pageOfSales({ offset, limit: atOnce })
      const rows = await store.describeSold(ctx.db.long, me.tenantId, page)
      yield rows.map((row) => [row.sku, row.product_name, row.quantity, ...cellsOf(row)])
      if (offset + atOnce >= total) return
    }
  }
  return csvStream(['sku', 'product_name', 'quantity', ...figures], batches(), { bom })
}

const valued = ['sku', 'product_name', 'warehouse_name', 'quantity', 'unit_cost', 'total_value'] as const

export const exportValuation = async (ctx: Inventory, me: Principal, { bom, as_of }: ValuationExport) => {
  const isPast = as_of !== undefined && as_of < (await todayOf(ctx, me))
  const next = (after: ValuedRow | null) => {
    const part = { ...(after ? { after } : {}), limit: atOnce, offset: 0 }
    return isPast
      ? store.listValuedThen(ctx.db.long, me.tenantId, as_of, part)
      : store.listValuedNow(ctx.db.long, me.tenantId, part)
  }
  const batches = async function* () {
    for await (const rows of runsAfter(null, next)) yield rows.map((row) => valued.map((name) => row[name]))
  }
  return csvStream(valued, batches(), { bom })
}

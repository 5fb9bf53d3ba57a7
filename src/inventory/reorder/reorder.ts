import type { Inventory, Principal } from '../context.ts'
import { pageOf } from '../lists.ts'
import { draftPurchaseOrder } from '../purchasing/purchasing.ts'
import { todayOf } from '../settings/settings.ts'
import { readSupplier } from '../suppliers/suppliers.ts'
import { chosenWarehouse } from '../warehouses/warehouses.ts'
import type { DraftRequest, Suggestion, SuggestionQuery } from './schema.ts'
import * as store from './store.ts'

const longest = 1000
const most = 10_000
const largestQuantity = 2_147_483_647

export const listSuggestions = async (ctx: Inventory, me: Principal, query: SuggestionQuery) => {
  const page = pageOf(query, longest)
  const today = await todayOf(ctx, me)
  const found = (limit: number, offset: number) =>
    store.listSuggestions(ctx.db.sql, me.tenantId, today, query, limit, offset)
  const rows = await found(page.limit, page.offset)
  // Each row tells the total; a page beyond the last has none that could.
  const [any] = rows.length > 0 || page.offset === 0 ? rows : await found(1, 0)
  const suggestions = rows.map(({ total: _, ...suggestion }) => suggestion)
  return { suggestions, total: any?.total ?? 0, page: page.page, limit: page.limit }
}

const later = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

type Sourced = Suggestion & { supplier_id: number; supplier_name: string }

const isSourced = (suggestion: Suggestion): suggestion is Sourced => suggestion.supplier_id !== null

/** One draft for each supplier and the warehouse they deliver to. Drafts count as on order, so nothing is drafted twice. */
export const draftFromSuggestions = async (ctx: Inventory, me: Principal, request: DraftRequest) => {
  if (request.warehouse_id) await chosenWarehouse(ctx.db.sql, me, request.warehouse_id)
  if (request.supplier_id) await readSupplier(ctx, me, request.supplier_id)
  return ctx.db.transaction(async (tx) => {
    await store.lockDrafting(tx, me.tenantId)
    const today = await todayOf(ctx, me, tx)
    const suggestions = await store.listSuggestions(tx, me.tenantId, today, request, most, 0)
    const groups = Map.groupBy(suggestions.filter(isSourced), (s) => `${s.supplier_id}/${s.warehouse_id}`)
    const purchase_orders = []
    for (const group of groups.values()) {
      const { supplier_id, supplier_name, warehouse_id, lead_time_days } = group[0] as Sourced
      const expected_date = later(today, lead_time_days)
      const items = group.map(({ product_id, suggested_quantity, unit_cost }) => ({
        product_id,
        quantity: Math.min(suggested_quantity, largestQuantity),
        unit_cost,
      }))
      const head = { supplier_id, warehouse_id, expected_date, notes: 'From reorder suggestions' }
      const created = await draftPurchaseOrder(ctx, tx, me, { ...head, items })
      const more = { supplier_id, supplier_name, warehouse_id, expected_date, item_count: items.length }
      purchase_orders.push({ ...created, ...more })
    }
    const skipped = suggestions
      .filter((suggestion) => !isSourced(suggestion))
      .map(({ product_id, sku, warehouse_id }) => {
        return { product_id, sku, warehouse_id, reason: 'No supplier is known for it' }
      })
    return { purchase_orders, skipped }
  })
}

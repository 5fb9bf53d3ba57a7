import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import { draftPurchaseOrder } from '../purchasing/purchasing.ts'
import { maxQuantity } from '../schema.ts'
import { todayOf } from '../settings/settings.ts'
import type { Supplier } from '../suppliers/schema.ts'
import { readSupplier } from '../suppliers/suppliers.ts'
import { lockTenant } from '../tenants/tenants.ts'
import { chosenWarehouse } from '../warehouses/warehouses.ts'
import type { ChosenSuggestion, DraftRequest, Suggestion, SuggestionQuery } from './schema.ts'
import * as store from './store.ts'

const mostDrafted = 10_000
/** As the statement assumes it, where nobody has said otherwise. */
const usualLeadTimeDays = 7

const levelOf = ({ reorder_level, lead_time_demand, lead_time_days }: Omit<Suggestion, 'reason'>) =>
  reorder_level >= lead_time_demand
    ? `the reorder level of ${reorder_level}`
    : `the ${lead_time_demand} that are expected to go out in the ${lead_time_days} days until a delivery`

const suggestionOf = ({ total: _, ...due }: store.Due): Suggestion => ({
  ...due,
  reason:
    `${due.available} available (${due.on_hand} on hand - ${due.reserved} reserved - ${due.backordered} backordered + ` +
    `${due.on_order} on order) is not above ${levelOf(due)}`,
})

export const listSuggestions = async (ctx: Inventory, me: Principal, query: SuggestionQuery) => {
  const page = pageOf(query, longPage)
  const filter = { ...query, today: await todayOf(ctx, me) }
  const find = (limit: number, offset: number) =>
    store.listSuggestions(listing(ctx.db, { offset }), me.tenantId, filter, { limit, offset })
  const rows = await find(page.limit, page.offset)
  // The total comes with each row; a page beyond the last has none.
  const [any] = rows.length > 0 || page.offset === 0 ? rows : await find(1, 0)
  return { suggestions: rows.map(suggestionOf), ...pageInfo(page, any?.total ?? 0) }
}

const later = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

type Sourced = store.Due & { supplier_id: number; supplier_name: string }

const isSourced = (suggestion: store.Due): suggestion is Sourced => suggestion.supplier_id !== null

const placeOf = ({ product_id, warehouse_id }: { product_id: number; warehouse_id: number }) =>
  `${product_id}/${warehouse_id}`

/** What somebody chose instead of what was suggested. */
const withChoice = (
  due: store.Due,
  chosen: ChosenSuggestion | undefined,
  suppliers: Supplier[],
): store.Due => {
  const other = suppliers.find(({ id }) => id === chosen?.supplier_id && id !== due.supplier_id)
  const source = other && {
    supplier_id: other.id,
    supplier_name: other.name,
    lead_time_days: other.lead_time_days ?? usualLeadTimeDays,
    unit_cost: null,
  }
  const suggested_quantity = chosen?.quantity ?? Math.min(due.suggested_quantity, maxQuantity)
  return { ...due, ...source, suggested_quantity }
}

const requireDistinct = (items: readonly ChosenSuggestion[]) =>
  items.forEach((item, index) => {
    if (items.findIndex((other) => placeOf(other) === placeOf(item)) < index)
      invalid(`items[${index}]`, 'names a product and warehouse that are named before')
  })

/** What was chosen but is not suggested, perhaps because somebody else has just ordered it. */
const notSuggested = async (tx: Tx, me: Principal, items: readonly ChosenSuggestion[], due: store.Due[]) => {
  const known = new Set(due.map(placeOf))
  const missing = items.filter((item) => !known.has(placeOf(item)))
  const products = await store.findSkus(
    tx,
    me.tenantId,
    missing.map((item) => item.product_id),
  )
  return missing.map(({ product_id, warehouse_id }) => {
    const { sku } = products.find(({ id }) => id === product_id) ?? notFound('Product not found')
    return { product_id, sku, warehouse_id, reason: 'It is not suggested any more' }
  })
}

/** One draft for each supplier and the warehouse they deliver to. Drafts count as on order, so nothing is drafted twice. */
export const draftFromSuggestions = async (ctx: Inventory, me: Principal, request: DraftRequest) => {
  const items = request.items ?? []
  requireDistinct(items)
  if (request.warehouse_id) await chosenWarehouse(ctx.db.sql, me, request.warehouse_id)
  if (request.supplier_id) await readSupplier(ctx, me, request.supplier_id)
  const chosenSuppliers = new Set(items.flatMap(({ supplier_id }) => supplier_id ?? []))
  const suppliers = await Promise.all([...chosenSuppliers].map((id) => readSupplier(ctx, me, id)))
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, me)
    const today = await todayOf(ctx, me, tx)
    const first = { limit: mostDrafted, offset: 0 }
    const due = await store.listSuggestions(tx, me.tenantId, { ...request, today }, first)
    const choices = new Map(items.map((item) => [placeOf(item), item]))
    const suggestions = due.map((one) => withChoice(one, choices.get(placeOf(one)), suppliers))
    const groups = Map.groupBy(suggestions.filter(isSourced), (s) => `${s.supplier_id}/${s.warehouse_id}`)
    const purchase_orders = []
    for (const group of groups.values()) {
      const { supplier_id, supplier_name, warehouse_id, lead_time_days } = group[0] as Sourced
      const expected_date = later(today, lead_time_days)
      const lines = group.map(({ product_id, suggested_quantity: quantity, unit_cost }) => {
        return { product_id, quantity, unit_cost }
      })
      const head = { supplier_id, warehouse_id, expected_date, notes: 'From reorder suggestions' }
      const created = await draftPurchaseOrder(ctx, tx, me, { ...head, items: lines })
      const more = { supplier_id, supplier_name, warehouse_id, expected_date, item_count: lines.length }
      purchase_orders.push({ ...created, ...more })
    }
    const unsourced = suggestions
      .filter((suggestion) => !isSourced(suggestion))
      .map(({ product_id, sku, warehouse_id }) => {
        return { product_id, sku, warehouse_id, reason: 'No supplier is known for it' }
      })
    return { purchase_orders, skipped: [...unsourced, ...(await notSuggested(tx, me, items, due))] }
  })
}

import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { badRequest, notFound } from '#platform/errors.ts'
import { requireCategory } from '../categories/categories.ts'
import type { Inventory, Principal } from '../context.ts'
import { refuseTaken, unlessTaken } from '../duplicates.ts'
import { pageInfo, pageOf } from '../lists.ts'
import { toMoney } from '../money.ts'
import { requireNoOpenOrder } from '../orders/orders.ts'
import { requireNoOpenPurchase } from '../purchasing/purchasing.ts'
import { writeOff } from '../stock/stock.ts'
import { foldIfMany } from '../tenants/tenants.ts'
import * as reading from './read-store.ts'
import type { NewImage, ProductChange, ProductInput, ProductQuery } from './schema.ts'
import * as store from './store.ts'

export const listProducts = async (ctx: Inventory, me: Principal, query: ProductQuery) => {
  const page = pageOf(query)
  const { search, category, active, sort = '-created_at' } = query
  if (search || category !== undefined) {
    const { products, total } = await reading.searchProducts(
      ctx.db.long,
      me.tenantId,
      { ...query, sort },
      page,
    )
    return { products, ...pageInfo(page, total) }
  }
  const { products, total, entries } = await reading.listProducts(
    listing(ctx.db, page),
    me.tenantId,
    { active, sort },
    page,
  )
  foldIfMany(ctx, entries)
  return { products, ...pageInfo(page, total) }
}

export const readProduct = async (ctx: Inventory, me: Principal, id: number) =>
  (await reading.findProduct(ctx.db.sql, me.tenantId, id)) ?? notFound('Product not found')

export const readProductBySku = async (ctx: Inventory, me: Principal, sku: string) =>
  (await reading.findProductBySku(ctx.db.sql, me.tenantId, sku)) ?? notFound('Product not found')

const price = (field: string, value: string | number | null | undefined) =>
  value === null || value === undefined ? null : toMoney(field, value)

/** Fields of the contract are reset by every write; the others keep their value unless they are given. */
const fieldsOf = (input: ProductInput, before?: store.Fields): store.Fields => ({
  name: input.name,
  sku: input.sku,
  base_price: toMoney('base_price', input.base_price),
  cost_price: price('cost_price', input.cost_price),
  compare_at_price:
    input.compare_at_price === undefined
      ? (before?.compare_at_price ?? null)
      : price('compare_at_price', input.compare_at_price),
  barcode: input.barcode || null,
  vendor: input.vendor || null,
  description: input.description || null,
  category_id: input.category_id ?? null,
  tracking_type: input.tracking_type ?? 'none',
  weight: input.weight ?? null,
  taxable: input.taxable ?? before?.taxable ?? true,
  requires_shipping: input.requires_shipping ?? before?.requires_shipping ?? true,
  is_active: input.is_active ?? before?.is_active ?? true,
})

export const trackingProblem = (before: store.ProductRow, after: store.Fields) =>
  before.tracking_type !== after.tracking_type && before.total_stock > 0
    ? 'tracking_type cannot change while there is stock'
    : null

const skuOf = (sku: string | undefined) => ({
  constraint: 'products_sku_key',
  field: 'sku',
  message: `SKU ${sku} already exists`,
})

export const createProduct = async (ctx: Inventory, me: Principal, input: ProductInput) => {
  const fields = fieldsOf(input)
  const product = await ctx.db.transaction(async (tx) => {
    if (fields.category_id !== null) await requireCategory(tx, me, fields.category_id)
    return (await ctx.orRefuse(store.insertProducts(tx, me.tenantId, [fields], ctx.clock.now())))[0]
  })
  if (!product) return refuseTaken(skuOf(fields.sku))
  const { id, name, sku, base_price, cost_price, tracking_type, is_active, created_at } = product
  return { id, name, sku, base_price, cost_price, tracking_type, is_active, created_at }
}

const lockProduct = async (tx: Tx, me: Principal, id: number) =>
  (await store.lockProduct(tx, me.tenantId, id)) ?? notFound('Product not found')

type Edit = { id: number; sku: string | undefined; edit: (before: store.ProductRow) => ProductInput }

const updateProduct = (ctx: Inventory, me: Principal, { id, sku, edit }: Edit) =>
  unlessTaken(
    skuOf(sku),
    ctx.db.transaction(async (tx) => {
      const before = await lockProduct(tx, me, id)
      const fields = fieldsOf(edit(before), before)
      const problem = trackingProblem(before, fields)
      if (problem) badRequest(problem)
      if (fields.category_id !== null) await requireCategory(tx, me, fields.category_id)
      await ctx.orRefuse(store.updateProducts(tx, me.tenantId, [{ ...fields, id }]))
      return { message: 'Product updated' }
    }),
  )

export const replaceProduct = (ctx: Inventory, me: Principal, id: number, input: ProductInput) =>
  updateProduct(ctx, me, { id, sku: input.sku, edit: () => input })

/** What is left out stays as it is. */
export const changeProduct = (ctx: Inventory, me: Principal, id: number, change: ProductChange) => {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return updateProduct(ctx, me, { id, sku: change.sku, edit: (before) => ({ ...before, ...given }) })
}

/** What is left of it is written off by movements; orders and the ledger still show its SKU and name. */
export const deleteProduct = (ctx: Inventory, me: Principal, id: number) =>
  ctx.db.transaction(async (tx) => {
    await lockProduct(tx, me, id)
    const before = (await reading.findProduct(tx, me.tenantId, id))!
    const check = async () => {
      await requireNoOpenOrder(tx, me, id)
      await requireNoOpenPurchase(tx, me, id)
    }
    await writeOff(ctx, tx, me, { productId: id, check })
    await store.markDeleted(tx, me.tenantId, id, ctx.clock.now())
    await store.addDeletedEvent(tx, me.tenantId, before)
    return { message: 'Product deleted' }
  })

export const addImage = (ctx: Inventory, me: Principal, id: number, { url, is_primary }: NewImage) =>
  ctx.db.transaction(async (tx) => {
    await lockProduct(tx, me, id)
    if (is_primary) await store.clearPrimaryImage(tx, me.tenantId, id)
    const image = await store.insertImage(tx, me.tenantId, id, { url, is_primary })
    await store.addUpdatedEvent(tx, me.tenantId, id)
    return image
  })

export const removeImage = (ctx: Inventory, me: Principal, id: number, imageId: number) =>
  ctx.db.transaction(async (tx) => {
    await lockProduct(tx, me, id)
    if (!(await store.deleteImage(tx, me.tenantId, id, imageId))) notFound('Image not found')
    await store.addUpdatedEvent(tx, me.tenantId, id)
    return { message: 'Image deleted' }
  })

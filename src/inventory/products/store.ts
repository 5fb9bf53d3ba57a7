import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Image, NewImage, Product } from './schema.ts'

/** The fields of a product that users set. Money has two decimals. */
export type Fields = {
  name: string
  sku: string
  base_price: string
  cost_price: string | null
  compare_at_price: string | null
  barcode: string | null
  vendor: string | null
  description: string | null
  category_id: number | null
  tracking_type: 'none' | 'batch' | 'serial'
  weight: number | null
  taxable: boolean
  requires_shipping: boolean
  is_active: boolean
}
export type ProductRow = Fields & { id: number; total_stock: number; created_at: string }

const fields = (q: Sql) => q`
  name, sku, base_price, cost_price, compare_at_price, barcode, vendor, description, category_id, tracking_type,
  weight, taxable, requires_shipping, is_active`

const columns = (q: Sql) => q`id, ${fields(q)}, total_stock, created_at`

const rows = (q: Sql, list: readonly object[]) => q`
  rows from (jsonb_to_recordset(${q.json(list)}) as (id bigint, name text, sku text, base_price numeric,
    cost_price numeric, compare_at_price numeric, barcode text, vendor text, description text, category_id bigint,
    tracking_type text, weight double precision, taxable boolean, requires_shipping boolean, is_active boolean))
  with ordinality as i (id, ${fields(q)}, position)`

/** Adds products, each with an empty stock row in the default warehouse. Products whose SKU is taken are skipped. */
export const insertProducts = (q: Sql, tenantId: number, list: readonly Fields[], now: Date) => q<
  ProductRow[]
>`
  with added as (
    insert into inventory.products (tenant_id, ${fields(q)}, created_at)
    select ${tenantId}, i.name, i.sku, i.base_price, i.cost_price,
      i.compare_at_price, i.barcode, i.vendor, i.description, i.category_id, i.tracking_type, i.weight, i.taxable,
      i.requires_shipping, i.is_active, ${now}
    from ${rows(q, list)}
    order by i.position
    on conflict (tenant_id, sku) where deleted_at is null do nothing
    returning ${columns(q)}
  ), stocked as (
    insert into inventory.stock (tenant_id, product_id, warehouse_id)
    select w.tenant_id, added.id, w.id from added, inventory.warehouses w
    where w.tenant_id = ${tenantId} and w.is_default
  )
  select * from added order by id`

export const updateProducts = (q: Sql, tenantId: number, list: readonly (Fields & { id: number })[]) => q`
  update inventory.products p set name = i.name, sku = i.sku, base_price = i.base_price, cost_price = i.cost_price,
    compare_at_price = i.compare_at_price, barcode = i.barcode, vendor = i.vendor, description = i.description,
    category_id = i.category_id, tracking_type = i.tracking_type, weight = i.weight, taxable = i.taxable,
    requires_shipping = i.requires_shipping, is_active = i.is_active
  from ${rows(q, list)} where p.tenant_id = ${tenantId} and p.id = i.id`

export const lockProduct = async (q: Sql, tenantId: number, id: number): Promise<ProductRow | undefined> =>
  maybeOne(q<ProductRow[]>`
    select ${columns(q)} from inventory.products
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null for no key update`)

export const lockProductsBySku = (q: Sql, tenantId: number, skus: readonly string[]) => q<ProductRow[]>`
  select ${columns(q)} from inventory.products
  where tenant_id = ${tenantId} and sku = any(${skus as string[]}) and deleted_at is null
  order by id for no key update`

export const markDeleted = async (q: Sql, tenantId: number, id: number, now: Date) => {
  await q`delete from inventory.product_images where tenant_id = ${tenantId} and product_id = ${id}`
  await q`update inventory.products set deleted_at = ${now} where tenant_id = ${tenantId} and id = ${id}`
}

/** `product` is what it was before it was deleted. */
export const addDeletedEvent = (q: Sql, tenantId: number, product: Product) => q`
  select inventory.add_event(${tenantId}, 'product.deleted', ${`product/${product.id}`},
    ${JSON.stringify(product)}::json)`

/** For changes of what belongs to a product but is not in its row. */
export const addUpdatedEvent = (q: Sql, tenantId: number, id: number) => q`
  select inventory.add_product_events(${tenantId}, array[${id}::bigint], 'product.updated')`

export const clearPrimaryImage = (q: Sql, tenantId: number, productId: number) => q`
  update inventory.product_images set is_primary = false
  where tenant_id = ${tenantId} and product_id = ${productId} and is_primary`

export const insertImage = (q: Sql, tenantId: number, productId: number, image: NewImage) =>
  one(q<Image[]>`
    insert into inventory.product_images (tenant_id, product_id, url, is_primary)
    select ${tenantId}, ${productId}, ${image.url}, ${image.is_primary} or not exists (select 1 from inventory.product_images
      where tenant_id = ${tenantId} and product_id = ${productId})
    returning id, url, is_primary`)

/** When the primary image is deleted, the oldest of the others becomes primary. */
export const deleteImage = async (q: Sql, tenantId: number, productId: number, id: number) => {
  const gone = await q`
    delete from inventory.product_images
    where tenant_id = ${tenantId} and product_id = ${productId} and id = ${id} returning 1`
  await q`
    update inventory.product_images set is_primary = true
    where tenant_id = ${tenantId} and product_id = ${productId}
      and id = (select min(id) from inventory.product_images
        where tenant_id = ${tenantId} and product_id = ${productId} having not bool_or(is_primary))`
  return gone.length > 0
}

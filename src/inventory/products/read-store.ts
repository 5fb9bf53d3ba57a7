import type { Sql } from '#platform/db/database.ts'
import { anywhere, type Page } from '../lists.ts'
import type { Product } from './schema.ts'

const whole = (q: Sql) => q`
  p.id, p.name, p.sku, p.base_price, p.cost_price, p.compare_at_price, p.barcode, p.vendor, p.description,
  p.category_id, c.name as category_name, p.tracking_type, p.weight, p.taxable, p.requires_shipping, p.is_active,
  p.total_stock, coalesce(i.images, '[]') as images, coalesce(s.stock, '[]') as stock, p.created_at`

const parts = (q: Sql) => q`
  left join inventory.categories c on c.tenant_id = p.tenant_id and c.id = p.category_id
  left join lateral (
    select json_agg(json_build_object('id', i.id, 'url', i.url, 'is_primary', i.is_primary)
      order by i.is_primary desc, i.id) as images
    from inventory.product_images i where i.tenant_id = p.tenant_id and i.product_id = p.id) i on true
  left join lateral (
    select json_agg(json_build_object('warehouse_id', s.warehouse_id, 'warehouse_name', w.name,
      'quantity', s.quantity) order by s.warehouse_id) as stock
    from inventory.stock s join inventory.warehouses w on w.id = s.warehouse_id
    where s.tenant_id = p.tenant_id and s.product_id = p.id) s on true`

export const findProduct = async (q: Sql, tenantId: number, id: number) =>
  (
    await q<Product[]>`
      select ${whole(q)} from inventory.products p ${parts(q)}
      where p.tenant_id = ${tenantId} and p.id = ${id} and p.deleted_at is null`
  )[0]

export const findProductBySku = async (q: Sql, tenantId: number, sku: string) =>
  (
    await q<Product[]>`
      select ${whole(q)} from inventory.products p ${parts(q)}
      where p.tenant_id = ${tenantId} and p.sku = ${sku} and p.deleted_at is null`
  )[0]

const countedBy = (q: Sql, active: boolean | undefined) =>
  active === undefined ? q`total` : active ? q`active` : q`total - active`

const activity = (q: Sql, active: boolean | undefined) =>
  active === undefined ? q`` : q`and is_active = ${active}`

/** Newest first. Counts of whole blocks tell where the page begins, so that page 1,000 costs what page 1 does. */
export const listPage = (q: Sql, tenantId: number, active: boolean | undefined, page: Page) => q<Product[]>`
  with start as (
    select block, before from (
      select block, n, sum(n) over (order by block desc) - n as before
      from (select block, ${countedBy(q, active)} as n from inventory.product_blocks
        where tenant_id = ${tenantId}) counted) blocks
    where before + n > ${page.offset} order by block desc limit 1
  ), page as (
    select ordinal from inventory.products
    where tenant_id = ${tenantId} and deleted_at is null ${activity(q, active)}
      and ordinal < (select (block + 1) * 500 from start)
    order by ordinal desc limit ${page.limit} offset ${page.offset}::bigint - (select before from start)
  )
  select ${whole(q)}
  from page join inventory.products p
    on p.tenant_id = ${tenantId} and p.ordinal = page.ordinal and p.deleted_at is null ${parts(q)}
  order by p.ordinal desc`

export const countProducts = async (q: Sql, tenantId: number, active: boolean | undefined) =>
  (
    await q<{ total: number }[]>`
      select coalesce(sum(${countedBy(q, active)}), 0)::bigint as total from inventory.product_blocks
      where tenant_id = ${tenantId}`
  )[0]!.total

export type Filter = { active?: boolean; category?: number; search?: string }

/** The matches are found once, by index; only those of the page are looked at further. */
export const findPage = async (
  q: Sql,
  tenantId: number,
  { active, category, search }: Filter,
  page: Page,
) => {
  const found = await q<(Product & { matches: number })[]>`
    with matching as materialized (
      select id, ordinal from inventory.products
      where tenant_id = ${tenantId} and deleted_at is null ${activity(q, active)}
        ${category === undefined ? q`` : q`and category_id = ${category}`}
        ${search ? q`and (sku || chr(10) || name) ilike ${anywhere(search)}` : q``}
    ), page as (select id from matching order by ordinal desc limit ${page.limit} offset ${page.offset})
    select n.matches, ${whole(q)}
    from (select count(*) as matches from matching) n
    left join (page join inventory.products p on p.tenant_id = ${tenantId} and p.id = page.id ${parts(q)}) on true
    order by p.ordinal desc`
  const total = found[0]?.matches ?? 0
  const products = found.filter(({ id }) => id !== null).map(({ matches: _, ...product }) => product)
  return { products, total }
}

/** Runs of products in order of their ids, for exports. */
export const productsAfter = (q: Sql, tenantId: number, id: number, limit: number) => q<Product[]>`
  with p as (
    select * from inventory.products
    where tenant_id = ${tenantId} and id > ${id} and deleted_at is null order by id limit ${limit})
  select ${whole(q)} from p ${parts(q)} order by p.id`

import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import { anywhere, type Page } from '../lists.ts'
import { gtinForms } from './gtin.ts'
import type { Product, Sort } from './schema.ts'

const described = (q: Sql) => q`
  p.id, p.name, p.sku, p.base_price, p.cost_price, p.compare_at_price, p.barcode, p.vendor, p.description,
  p.category_id, c.name as category_name, p.tracking_type, p.weight, p.taxable, p.requires_shipping, p.is_active,
  p.total_stock, p.total_stock as quantity_on_hand, coalesce(s.reserved, 0) as reserved,
  p.total_stock - coalesce(s.reserved, 0) as available, coalesce(coming.incoming, 0) as incoming,
  coalesce(i.images, '[]') as images`

const whole = (q: Sql) => q`${described(q)}, coalesce(s.stock, '[]') as stock, p.created_at`

const labels = (q: Sql) => q`
  left join inventory.categories c on c.tenant_id = p.tenant_id and c.id = p.category_id
  left join lateral (
    select case when exists (select from inventory.product_images i where i.tenant_id = p.tenant_id and i.product_id = p.id)
      then (select json_agg(json_build_object('id', i.id, 'url', i.url, 'is_primary', i.is_primary)
          order by i.is_primary desc, i.id)
        from inventory.product_images i where i.tenant_id = p.tenant_id and i.product_id = p.id) end as images) i on true
  left join lateral (select sum(n.units)::bigint as incoming from inventory.incoming n
    where n.tenant_id = p.tenant_id and n.product_id = p.id) coming on true`

const parts = (q: Sql) => q`
  ${labels(q)}
  left join lateral (
    select json_agg(json_build_object('warehouse_id', s.warehouse_id, 'warehouse_name', w.name,
      'quantity', s.quantity) order by s.warehouse_id) as stock, sum(s.reserved_quantity)::bigint as reserved
    from inventory.stock s join inventory.warehouses w on w.id = s.warehouse_id
    where s.tenant_id = p.tenant_id and s.product_id = p.id) s on true`

export const findProduct = async (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Product[]>`
    select ${whole(q)} from inventory.products p ${parts(q)}
    where p.tenant_id = ${tenantId} and p.id = ${id} and p.deleted_at is null`)

export const findProductBySku = async (q: Sql, tenantId: number, sku: string) =>
  maybeOne(q<Product[]>`
    select ${whole(q)} from inventory.products p ${parts(q)}
    where p.tenant_id = ${tenantId} and p.sku = ${sku} and p.deleted_at is null`)

const activity = (q: Sql, active: boolean | undefined) =>
  active === undefined ? q`` : q`and is_active = ${active}`

/** On the first pages it is cheaper to read the products that are skipped than to look up those of the page again. */
const shallow = 500

/**
 * The limit of a first page is part of the text. As a parameter it would make PostgreSQL plan each request by itself,
 * because a plan for any limit looks more expensive than one for this limit, and planning takes longer than reading.
 */
const rowsOf = (q: Sql, { limit, offset }: Page) =>
  offset === 0 ? q`limit ${q.unsafe(String(limit))}` : q`limit ${limit} offset ${offset}`

/** What a list of products `p` can be sorted by; each is the order of an index. */
const sortKeys: Record<Sort, string> = {
  name: 'lower(p.name), p.id',
  '-name': 'lower(p.name) desc, p.id desc',
  sku: 'p.sku',
  '-sku': 'p.sku desc',
  base_price: 'p.base_price, p.id',
  '-base_price': 'p.base_price desc, p.id desc',
  created_at: 'p.id',
  '-created_at': 'p.id desc',
}
const sorted = (q: Sql, sort: Sort) => q.unsafe(sortKeys[sort])

type Listed = { active: boolean | undefined; sort: Sort }

/** The products of a page as `p`. On deep pages they are found in an index before anything is read of them. */
const pageOf = (q: Sql, tenantId: number, { active, sort }: Listed, page: Page) => {
  const listed = q`
    from inventory.products p where tenant_id = ${tenantId} and deleted_at is null ${activity(q, active)}
    order by ${sorted(q, sort)} ${rowsOf(q, page)}`
  return page.offset <= shallow
    ? q`(select * ${listed}) p`
    : q`(select p.id ${listed}) page join inventory.products p on p.tenant_id = ${tenantId} and p.id = page.id`
}

/** What an entry of `list_sums` adds to the total of the list. */
const counted = (q: Sql, active: boolean | undefined) => {
  if (active === undefined) return q`case list when 'products' then total end`
  return active
    ? q`case list when 'active_products' then total end`
    : q`case list when 'products' then total when 'active_products' then -total end`
}

/** Each row has the total; the only row of an empty page has nothing else. */
const withTotal = (found: (Product & { total: number })[]) => ({
  total: found[0]?.total ?? 0,
  products: found.filter(({ id }) => id !== null).map(({ total: _, ...product }) => product),
})

type ListRow = Omit<Product, 'stock'> & {
  total: number
  entries: number
  warehouses: string
  stock: Record<string, number> | null
}

const stockOf = (stock: ListRow['stock'], names: Record<string, string>): Product['stock'] =>
  // The keys of an object that are integers come in ascending order.
  Object.entries(stock ?? {}).map(([id, quantity]) => ({
    warehouse_id: Number(id),
    warehouse_name: names[id] as string,
    quantity,
  }))

/**
 * The total is not counted: it is maintained as products come and go, and added up from `entries` rows. The
 * names of warehouses come once, not with each product.
 */
export const listProducts = async (q: Sql, tenantId: number, listed: Listed, page: Page) => {
  const rows = await q<ListRow[]>`
    select n.total, n.entries, w.names as warehouses, ${described(q)}, s.stock, p.created_at
    from (select coalesce(sum(${counted(q, listed.active)}), 0)::bigint as total, count(*) as entries
      from inventory.list_sums where tenant_id = ${tenantId}) n
    cross join (select json_object_agg(id, name)::text as names
      from inventory.warehouses where tenant_id = ${tenantId}) w
    left join (${pageOf(q, tenantId, listed, page)} ${labels(q)}
      left join lateral (select json_object_agg(s.warehouse_id, s.quantity) as stock,
          sum(s.reserved_quantity)::bigint as reserved
        from inventory.stock s where s.tenant_id = p.tenant_id and s.product_id = p.id) s on true) on true
    order by ${sorted(q, listed.sort)}`
  const names = JSON.parse(rows[0]?.warehouses ?? '{}') as Record<string, string>
  return {
    total: rows[0]?.total ?? 0,
    entries: rows[0]?.entries ?? 0,
    products: rows
      .filter(({ id }) => id !== null)
      .map(({ total: _, entries: __, warehouses: ___, ...product }) => ({
        ...product,
        stock: stockOf(product.stock, names),
      })),
  }
}

type Filter = { active?: boolean; category?: number; search?: string; sort: Sort }

/**
 * The matches are found once, by an index; anything is joined only to those of the page. Whoever scans a code means the
 * product that has it, so that comes first: as its barcode, and then as its SKU.
 */
export const searchProducts = async (
  q: Sql,
  tenantId: number,
  { active, category, search, sort }: Filter,
  page: Page,
) => {
  const fit = search
    ? q`case when p.barcode = any(${gtinForms(search)}) then 2 when p.sku = ${search} then 1 else 0 end`
    : q`0`
  const found = await q<(Product & { total: number })[]>`
    with matching as materialized (
      select p.id, p.name, p.sku, p.base_price, ${fit} as fit from inventory.products p
      where tenant_id = ${tenantId} and deleted_at is null ${activity(q, active)}
        ${category === undefined ? q`` : q`and category_id = ${category}`}
        ${
          search
            ? q`and ((sku || chr(10) || name || chr(10) || coalesce(barcode, '')) ilike ${anywhere(search)}
                or barcode = any(${gtinForms(search)}))`
            : q``
        }
    ), page as (
      select p.id, p.fit from matching p
      order by p.fit desc, ${sorted(q, sort)} limit ${page.limit} offset ${page.offset})
    select n.total, ${whole(q)}
    from (select count(*) as total from matching) n
    left join (page join inventory.products p on p.tenant_id = ${tenantId} and p.id = page.id ${parts(q)}) on true
    order by page.fit desc, ${sorted(q, sort)}`
  return withTotal(found)
}

/** Products by id, for exports. */
export const listProductsAfter = (q: Sql, tenantId: number, id: number, limit: number) => q<Product[]>`
  with p as (
    select * from inventory.products
    where tenant_id = ${tenantId} and id > ${id} and deleted_at is null order by id limit ${limit})
  select ${whole(q)} from p ${parts(q)} order by p.id`

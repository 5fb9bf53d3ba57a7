import type { Fragment, Sql } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'
import { isoTime } from '#platform/db/types.ts'
import { anywhere, type Page } from '../lists.ts'
import { gtinForms } from './gtin.ts'
import type { Image, Product, Sort } from './schema.ts'

/** What a product has itself. */
type Row = Omit<Product, 'images' | 'stock' | 'quantity_on_hand' | 'reserved' | 'available' | 'incoming'>

const row = (q: Sql) => q`
  p.id, p.name, p.sku, p.base_price::text, p.cost_price::text, p.compare_at_price::text, p.barcode, p.vendor, p.description,
  p.category_id, c.name as category_name, p.tracking_type, p.weight, p.taxable, p.requires_shipping, p.is_active,
  p.total_stock, p.created_at::text`

/** Products, and what belongs to them. */
type Parts = {
  products: Row[] | null
  warehouses: { id: number; name: string }[] | null
  stock: { product_id: number; warehouse_id: number; quantity: number; reserved_quantity: number }[] | null
  incoming: { product_id: number; units: number }[] | null
  images: (Image & { product_id: number })[] | null
}

const byProduct = <Part extends { product_id: number }>(parts: Part[] | null) => {
  const groups = Map.groupBy(parts ?? [], ({ product_id }) => product_id)
  return (id: number) => groups.get(id) ?? []
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0)

const productsOf = ({ products, ...parts }: Parts): Product[] => {
  const names = new Map(parts.warehouses?.map(({ id, name }) => [id, name]))
  const stockOf = byProduct(parts.stock)
  const incomingOf = byProduct(parts.incoming)
  const imagesOf = byProduct(parts.images)
  return (products ?? []).map((row) => {
    const stock = stockOf(row.id)
    const reserved = sum(stock.map(({ reserved_quantity }) => reserved_quantity))
    return {
      ...row,
      created_at: isoTime(row.created_at),
      images: imagesOf(row.id).map(({ id, url, is_primary }) => ({ id, url, is_primary })),
      stock: stock.map(({ warehouse_id, quantity }) => ({
        warehouse_id,
        warehouse_name: names.get(warehouse_id) as string,
        quantity,
      })),
      quantity_on_hand: row.total_stock,
      reserved,
      available: row.total_stock - reserved,
      incoming: sum(incomingOf(row.id).map(({ units }) => units)),
    }
  })
}

type Selection = {
  /** The queries of the WITH clause. One of them is `page`: the rows of `inventory.products` to read. */
  queries: Fragment
  /** How the products `p` are sorted. */
  order: Fragment
  /** Names and values to return beside the products, such as their total. */
  list?: Fragment
}

/**
 * Reads products and, for all of them at once, what belongs to them. All of it is one JSON value, which is cheaper to read
 * than as many rows and columns.
 */
const readPage = async <List = object>(
  q: Sql,
  tenantId: number,
  { queries, order, list = q`` }: Selection,
): Promise<List & { products: Product[] }> => {
  const ofPage = q`tenant_id = ${tenantId} and product_id = any ((select ids from ids)::bigint[])`
  const { page } = await one(q<{ page: Parts & { list: List } }[]>`
    with ${queries}, ids as materialized (select array_agg(id) as ids from page)
    select json_build_object(
      'products', (select json_agg(p) from (select ${row(q)} from page p
        left join inventory.categories c on c.tenant_id = ${tenantId} and c.id = p.category_id order by ${order}) p),
      'warehouses', (select json_agg(w) from (select id, name from inventory.warehouses where tenant_id = ${tenantId}) w),
      'stock', (select json_agg(s) from (select product_id, warehouse_id, quantity, reserved_quantity
        from inventory.stock where ${ofPage} order by product_id, warehouse_id) s),
      'incoming', (select json_agg(n) from (select product_id, units from inventory.incoming where ${ofPage}) n),
      'images', (select json_agg(i) from (select product_id, id, url, is_primary
        from inventory.product_images where ${ofPage} order by is_primary desc, id) i),
      'list', json_build_object(${list})) as page`)
  return { ...page.list, products: productsOf(page) }
}

const readOne = async (q: Sql, tenantId: number, condition: Fragment): Promise<Product | undefined> => {
  const queries = q`page as materialized (
    select * from inventory.products where tenant_id = ${tenantId} and ${condition} and deleted_at is null)`
  return (await readPage(q, tenantId, { queries, order: q`p.id` })).products[0]
}

export const findProduct = (q: Sql, tenantId: number, id: number) => readOne(q, tenantId, q`id = ${id}`)

export const findProductBySku = (q: Sql, tenantId: number, sku: string) =>
  readOne(q, tenantId, q`sku = ${sku}`)

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

/** On deep pages the products are found in an index before anything is read of them. */
const pageOf = (q: Sql, tenantId: number, { active, sort }: Listed, page: Page) => {
  const listed = q`
    from inventory.products p where tenant_id = ${tenantId} and deleted_at is null ${activity(q, active)}
    order by ${sorted(q, sort)} ${rowsOf(q, page)}`
  return page.offset <= shallow
    ? q`select * ${listed}`
    : q`select p.* from (select p.id ${listed}) found
        join inventory.products p on p.tenant_id = ${tenantId} and p.id = found.id`
}

/** What an entry of `list_sums` adds to the total of the list. */
const counted = (q: Sql, active: boolean | undefined) => {
  if (active === undefined) return q`case list when 'products' then total end`
  return active
    ? q`case list when 'active_products' then total end`
    : q`case list when 'products' then total when 'active_products' then -total end`
}

/** The total is not counted: it is maintained as products come and go, and added up from `entries` rows. */
export const listProducts = (q: Sql, tenantId: number, listed: Listed, page: Page) =>
  readPage<{ total: number; entries: number }>(q, tenantId, {
    queries: q`page as materialized (${pageOf(q, tenantId, listed, page)}), totals as materialized (
      select coalesce(sum(${counted(q, listed.active)}), 0) as total, count(*) as entries
      from inventory.list_sums where tenant_id = ${tenantId})`,
    order: sorted(q, listed.sort),
    list: q`'total', (select total from totals), 'entries', (select entries from totals)`,
  })

type Filter = { active?: boolean; category?: number; search?: string; sort: Sort }

/**
 * The matches are found once, by an index; anything is joined only to those of the page. Whoever scans a code means the
 * product that has it, so that comes first: as its barcode, and then as its SKU.
 */
export const searchProducts = (
  q: Sql,
  tenantId: number,
  { active, category, search, sort }: Filter,
  { limit, offset }: Page,
) => {
  const fit = search
    ? q`case when p.barcode = any(${gtinForms(search)}) then 2 when p.sku = ${search} then 1 else 0 end`
    : q`0`
  return readPage<{ total: number }>(q, tenantId, {
    queries: q`matching as materialized (
      select p.id, p.name, p.sku, p.base_price, ${fit} as fit from inventory.products p
      where tenant_id = ${tenantId} and deleted_at is null ${activity(q, active)}
        ${category === undefined ? q`` : q`and category_id = ${category}`}
        ${
          search
            ? q`and ((sku || chr(10) || name || chr(10) || coalesce(barcode, '')) ilike ${anywhere(search)}
                or barcode = any(${gtinForms(search)}))`
            : q``
        }
    ), page as materialized (
      select p.*, found.fit
      from (select p.id, p.fit from matching p order by p.fit desc, ${sorted(q, sort)}
        limit ${limit} offset ${offset}) found
      join inventory.products p on p.tenant_id = ${tenantId} and p.id = found.id)`,
    order: q`p.fit desc, ${sorted(q, sort)}`,
    list: q`'total', (select count(*) from matching)`,
  })
}

/** Products by id, for exports. */
export const listProductsAfter = async (q: Sql, tenantId: number, id: number, limit: number) => {
  const queries = q`page as materialized (
    select * from inventory.products
    where tenant_id = ${tenantId} and id > ${id} and deleted_at is null order by id limit ${limit})`
  return (await readPage(q, tenantId, { queries, order: q`p.id` })).products
}

import type { Fragment, Sql } from '#platform/db/database.ts'
import { anywhere, type Page } from '../lists.ts'
import { gtinForms } from './gtin.ts'
import type { Product, Sort } from './schema.ts'

const columns = (q: Sql) => q`
  p.id, p.name, p.sku, p.base_price, p.cost_price, p.compare_at_price, p.barcode, p.vendor, p.description,
  p.category_id, c.name as category_name, p.tracking_type, p.weight, p.taxable, p.requires_shipping, p.is_active,
  p.total_stock, p.created_at`

/** What a product has beside its own columns. Every entry begins with the id of its product. */
type Parts = {
  warehouses: Record<string, string> | null
  stock: [product: number, warehouse: number, quantity: number, reserved: number][] | null
  incoming: [product: number, units: number][] | null
  images: [product: number, id: number, url: string, isPrimary: boolean][] | null
}

/**
 * The parts of the products whose ids are in `ids`, and `list`, which describes the list they are in. Numbers are
 * collected as arrays, which takes a quarter less time than a JSON array for each row.
 */
const parts = (q: Sql, tenantId: number, list: Fragment) => {
  const ofPage = q`tenant_id = ${tenantId} and product_id = any((select ids from ids)::bigint[])`
  return q`
    json_build_object(
      'warehouses', (select json_object_agg(id, name) from inventory.warehouses where tenant_id = ${tenantId}),
      'stock', (select to_json(array_agg(array[product_id, warehouse_id, quantity, reserved_quantity]
        order by product_id, warehouse_id)) from inventory.stock where ${ofPage}),
      'incoming', (select to_json(array_agg(array[product_id, units])) from inventory.incoming where ${ofPage}),
      'images', (select json_agg(json_build_array(product_id, id, url, is_primary) order by is_primary desc, id)
        from inventory.product_images where ${ofPage}),
      'list', json_build_object(${list}))`
}

const byProduct = <Entry extends readonly [product: number, ...unknown[]]>(entries: Entry[] | null) => {
  const groups = Map.groupBy(entries ?? [], ([product]) => product)
  return (id: number) => groups.get(id) ?? []
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0)

type Row = Pick<
  Product,
  | ('id' | 'name' | 'sku' | 'base_price' | 'cost_price' | 'compare_at_price' | 'barcode' | 'vendor')
  | ('description' | 'category_id' | 'category_name' | 'tracking_type' | 'weight' | 'taxable')
  | ('requires_shipping' | 'is_active' | 'total_stock' | 'created_at')
>

const productWith = ({ warehouses, ...parts }: Parts) => {
  const [stockOf, incomingOf, imagesOf] = [
    byProduct(parts.stock),
    byProduct(parts.incoming),
    byProduct(parts.images),
  ]
  return (row: Row): Product => {
    const stock = stockOf(row.id)
    const reserved = sum(stock.map(([, , , reserved]) => reserved))
    // One by one: to copy the row without one of its columns takes nine times as long.
    return {
      id: row.id,
      name: row.name,
      sku: row.sku,
      base_price: row.base_price,
      cost_price: row.cost_price,
      compare_at_price: row.compare_at_price,
      barcode: row.barcode,
      vendor: row.vendor,
      description: row.description,
      category_id: row.category_id,
      category_name: row.category_name,
      tracking_type: row.tracking_type,
      weight: row.weight,
      taxable: row.taxable,
      requires_shipping: row.requires_shipping,
      is_active: row.is_active,
      total_stock: row.total_stock,
      created_at: row.created_at,
      images: imagesOf(row.id).map(([, id, url, is_primary]) => ({ id, url, is_primary })),
      stock: stock.map(([, warehouse_id, quantity]) => ({
        warehouse_id,
        warehouse_name: warehouses?.[warehouse_id] as string,
        quantity,
      })),
      quantity_on_hand: row.total_stock,
      reserved,
      available: row.total_stock - reserved,
      incoming: sum(incomingOf(row.id).map(([, units]) => units)),
    }
  }
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
 * Reads products with all their parts. The parts are read for all of them at once, by an array of ids, which takes half
 * the time of looking them up for each. They come as JSON in one of the rows, and in the only row of an empty page.
 */
const readPage = async <List = object>(
  q: Sql,
  tenantId: number,
  { queries, order, list = q`` }: Selection,
): Promise<List & { products: Product[] }> => {
  const rows = await q<(Row & { parts: string | null })[]>`
    with ${queries}, ids as materialized (select array_agg(id) as ids from page)
    select ${columns(q)}, case when p.id is not distinct from (select ids[1] from ids)
      then (${parts(q, tenantId, list)})::text end as parts
    from (select) one
    left join page p on true
    left join inventory.categories c on c.tenant_id = ${tenantId} and c.id = p.category_id
    order by ${order}`
  const { list: described, ...partsOfAll } = JSON.parse(
    rows.find(({ parts }) => parts !== null)?.parts as string,
  ) as Parts & { list: List }
  const product = productWith(partsOfAll)
  const products = rows.filter(({ id }) => id !== null).map(product)
  return { ...described, products }
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

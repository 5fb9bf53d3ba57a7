import type { Sql } from '#platform/db/database.ts'
import type { Principal } from '../context.ts'
import { anywhere, type Page } from '../lists.ts'
import type { NewOrder, Order, OrderQuery, OrderSummary, Status } from './schema.ts'

export type Line = { product_id: number; quantity: number; unit_price: string }
type Head = Pick<NewOrder, 'customer_id' | 'warehouse_id' | 'shipping_address'> & { channel: string }

type Address = NonNullable<NewOrder['shipping_address']>

/** The fields of an address and no others, each of them there. */
const addressOf = ({ line1, city, state, postcode, country }: Address) => ({
  line1: line1 ?? null,
  city: city ?? null,
  state: state ?? null,
  postcode: postcode ?? null,
  country: country ?? null,
})

export const insertOrder = async (q: Sql, me: Principal, now: Date, head: Head, lines: readonly Line[]) =>
  (
    await q<{ id: number; number: number; total_amount: string }[]>`
      select id, number, total_amount from inventory.create_order(${me.tenantId}, ${me.userId}, ${now},
        ${head.customer_id ?? null}, ${head.warehouse_id ?? null}, ${head.channel},
        ${head.shipping_address ? q.json(addressOf(head.shipping_address)) : null},
        ${lines.map((line) => line.product_id)}::bigint[], ${lines.map((line) => line.quantity)}::bigint[],
        ${lines.map((line) => line.unit_price)}::numeric[])`
  )[0]!

const summary = (q: Sql) => q`
  o.id, 'ORD-' || lpad(o.number::text, greatest(6, length(o.number::text)), '0') as order_number, o.customer_id,
  c.name as customer_name, o.status, o.channel, o.total_amount, o.item_count, o.warehouse_id, o.shipping_address`

const items = (q: Sql) => q`
  (select json_agg(json_build_object('id', i.id, 'product_id', i.product_id, 'sku', i.sku,
      'product_name', i.product_name, 'quantity', i.quantity, 'unit_price', i.unit_price::text,
      'quantity_fulfilled', i.quantity_fulfilled, 'quantity_backordered', i.quantity_backordered,
      'quantity_returned', i.quantity_returned) order by i.id)
    from inventory.order_items i where i.tenant_id = o.tenant_id and i.order_id = o.id) as items`

const customer = (q: Sql) => q`
  left join inventory.customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id`

export const findOrder = async (q: Sql, tenantId: number, id: number) =>
  (
    await q<Order[]>`
      select ${summary(q)}, ${items(q)}, o.created_at from inventory.orders o ${customer(q)}
      where o.tenant_id = ${tenantId} and o.id = ${id}`
  )[0]

export type Filter = Omit<OrderQuery, 'page' | 'limit'>

const matching = (q: Sql, tenantId: number, f: Filter) => q`
  o.tenant_id = ${tenantId}
  ${f.status === undefined ? q`` : q`and o.status = ${f.status}`}
  ${f.customer_id === undefined ? q`` : q`and o.customer_id = ${f.customer_id}`}
  ${f.channel === undefined ? q`` : q`and o.channel = ${f.channel}`}
  ${f.from === undefined ? q`` : q`and o.created_at >= inventory.day_start(${tenantId}, ${f.from})`}
  ${f.to === undefined ? q`` : q`and o.created_at < inventory.day_start(${tenantId}, ${f.to}::date + 1)`}
  ${
    f.search
      ? q`and ('ORD-' || lpad(o.number::text, greatest(6, length(o.number::text)), '0') ilike ${anywhere(f.search)}
          or o.customer_id in (select id from inventory.customers
            where tenant_id = ${tenantId} and name ilike ${anywhere(f.search)}))`
      : q``
  }`

const listed = (q: Sql, page: ReturnType<Sql>) => q<OrderSummary[]>`
  select ${summary(q)}, o.created_at from (${page}) o ${customer(q)} order by o.number desc`

/** Numbers have no gaps, so the page of the whole list is a range of them. */
export const listPage = (q: Sql, tenantId: number, last: number, page: Page) =>
  listed(
    q,
    q`select * from inventory.orders where tenant_id = ${tenantId}
      and number <= ${last - page.offset} and number > ${last - page.offset - page.limit}`,
  )

export const findPage = (q: Sql, tenantId: number, filter: Filter, page: Page) =>
  listed(
    q,
    q`select * from inventory.orders o where ${matching(q, tenantId, filter)}
      order by number desc limit ${page.limit} offset ${page.offset}`,
  )

export const lastNumber = async (q: Sql, tenantId: number) =>
  (
    await q<{ last: number }[]>`
      select last from inventory.numbers where tenant_id = ${tenantId} and kind = 'order'`
  )[0]?.last ?? 0

export const countOrders = async (q: Sql, tenantId: number, filter: Filter) =>
  (
    await q<{ total: number }[]>`
      select count(*) as total from inventory.orders o where ${matching(q, tenantId, filter)}`
  )[0]!.total

/** Runs of orders in order of their ids, for exports. */
export const ordersAfter = (q: Sql, tenantId: number, filter: Filter, id: number, limit: number) => q<
  OrderSummary[]
>`
  select ${summary(q)}, o.created_at from inventory.orders o ${customer(q)}
  where ${matching(q, tenantId, filter)} and o.id > ${id} order by o.id limit ${limit}`

export const lockOrder = async (q: Sql, tenantId: number, id: number) =>
  (
    await q<{ status: Status }[]>`
      select status from inventory.orders where tenant_id = ${tenantId} and id = ${id} for no key update`
  )[0]

export const setStatus = (q: Sql, tenantId: number, id: number, status: Status) => q`
  update inventory.orders set status = ${status} where tenant_id = ${tenantId} and id = ${id}`

export type Units = {
  order_item_id: number
  quantity: number
  batch_id?: number | null
  serials?: readonly string[] | null
  notes?: string | null
}

export const openItems = (q: Sql, tenantId: number, id: number) => q<Units[]>`
  select id as order_item_id, quantity - quantity_fulfilled as quantity from inventory.order_items
  where tenant_id = ${tenantId} and order_id = ${id} and quantity > quantity_fulfilled order by id`

export const ship = (q: Sql, me: Principal, now: Date, id: number, units: readonly Units[]) => q`
  select inventory.ship_items(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(units)})`

export const takeBack = (q: Sql, me: Principal, now: Date, id: number, units: readonly Units[]) => q`
  select inventory.return_items(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(units)})`

export const cancel = (q: Sql, me: Principal, now: Date, id: number) => q`
  select inventory.cancel_order(${me.tenantId}, ${me.userId}, ${now}, ${id})`

export const hasOpenOrder = async (q: Sql, tenantId: number, productId: number) =>
  (
    await q`
      select 1 from inventory.orders o
      join inventory.order_items i on i.tenant_id = o.tenant_id and i.order_id = o.id
      where o.tenant_id = ${tenantId} and o.status in ('pending', 'paid', 'fulfilling')
        and i.product_id = ${productId} limit 1`
  ).length > 0

export type StatsRow = { status: Status; orders: number; revenue: string }

/** The last 30 days, today included, unless told otherwise; all days are the tenant's own. */
export const findPeriod = async (q: Sql, tenantId: number, now: Date, from?: string, to?: string) =>
  (
    await q<{ from: string; to: string }[]>`
      select coalesce(${from ?? null}::date, greatest(coalesce(${to ?? null}::date, today) - 29, '0001-01-01')) as from,
        coalesce(${to ?? null}::date, greatest(today, ${from ?? null}::date)) as to
      from (select (${now}::timestamptz at time zone timezone)::date as today
        from inventory.tenants where id = ${tenantId}) t`
  )[0]!

export const sumByStatus = (q: Sql, tenantId: number, from: string, to: string) => q<StatsRow[]>`
  select status, count(*) as orders, sum(total_amount) as revenue from inventory.orders
  where tenant_id = ${tenantId} and created_at >= inventory.day_start(${tenantId}, ${from})
    and created_at < inventory.day_start(${tenantId}, ${to}::date + 1)
  group by status`

import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import { type Filter, matching } from './filter-store.ts'
import type { NewOrder, Order, OrderSummary, Status } from './schema.ts'

type Line = { product_id: number; quantity: number; unit_price: string }
type CheckedOrder = Pick<NewOrder, 'customer_id' | 'warehouse_id' | 'shipping_address'> & {
  channel: string
  lines: readonly Line[]
}

type Address = NonNullable<NewOrder['shipping_address']>

/** The fields of an address and no others, each of them there. */
const addressOf = ({ line1, city, state, postcode, country }: Address) => ({
  line1: line1 ?? null,
  city: city ?? null,
  state: state ?? null,
  postcode: postcode ?? null,
  country: country ?? null,
})

export const insertOrder = (q: Sql, me: Principal, order: CheckedOrder, now: Date) =>
  one(q<{ id: number; order_number: string; total_amount: string }[]>`
    select id, inventory.order_number(number) as order_number, total_amount
    from inventory.create_order(${me.tenantId}, ${me.userId}, ${now}, ${order.customer_id ?? null},
      ${order.warehouse_id ?? null}, ${order.channel},
      ${order.shipping_address ? q.json(addressOf(order.shipping_address)) : null},
      ${order.lines.map((line) => line.product_id)}::bigint[], ${order.lines.map((line) => line.quantity)}::bigint[],
      ${order.lines.map((line) => line.unit_price)}::numeric[])`)

const summary = (q: Sql) => q`
  o.id, inventory.order_number(o.number) as order_number, o.customer_id, c.name as customer_name, o.status, o.channel,
  o.total_amount, o.item_count, o.warehouse_id, o.shipping_address`

const items = (q: Sql) => q`
  (select json_agg(inventory.order_line_document(i) order by i.id)
    from inventory.order_items i where i.tenant_id = o.tenant_id and i.order_id = o.id) as items`

const customer = (q: Sql) => q`
  left join inventory.customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id`

export const findOrder = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Order[]>`
    select ${summary(q)}, ${items(q)}, o.created_at from inventory.orders o ${customer(q)}
    where o.tenant_id = ${tenantId} and o.id = ${id}`)

/** Newest first. The rows of the page are found in the index before anything is joined to them. */
export const listOrders = (q: Sql, tenantId: number, filter: Filter, page: Page) => q<OrderSummary[]>`
  select ${summary(q)}, o.created_at
  from (select o.number from inventory.orders o where ${matching(q, tenantId, filter)}
    order by o.number desc limit ${page.limit} offset ${page.offset}) page
  join inventory.orders o on o.tenant_id = ${tenantId} and o.number = page.number ${customer(q)}
  order by o.number desc`

/** Order numbers have no gaps. */
export const countAllOrders = async (q: Sql, tenantId: number) =>
  (
    await maybeOne(q<{ last: number }[]>`
      select last from inventory.numbers where tenant_id = ${tenantId} and kind = 'order'`)
  )?.last ?? 0

export const countOrders = (q: Sql, tenantId: number, filter: Filter) =>
  value<number>(q`
      select count(*) as total from inventory.orders o where ${matching(q, tenantId, filter)}`)

/** Orders by id, for exports. */
export const listOrdersAfter = (
  q: Sql,
  tenantId: number,
  filter: Filter,
  { id, limit }: { id: number; limit: number },
) => q<OrderSummary[]>`
  select ${summary(q)}, o.created_at from inventory.orders o ${customer(q)}
  where ${matching(q, tenantId, filter)} and o.id > ${id} order by o.id limit ${limit}`

type Units = {
  order_item_id: number
  quantity: number
  batch_id?: number | null
  serials?: readonly string[] | null
  notes?: string | null
}
type OrderUnits = { id: number; units: readonly Units[]; now: Date }

/** Ships units of an order that has one of the statuses `from`, and returns the status that it has then. */
export const fulfilOrder = (
  q: Sql,
  me: Principal,
  { id, units, now }: OrderUnits,
  { from, partly, wholly }: { from: Status[]; partly: Status; wholly: Status },
) =>
  value<Status>(q`
      select inventory.fulfil_order(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(units)}, ${from}::text[],
        ${partly}, ${wholly}) as status`)

export const returnUnits = (q: Sql, me: Principal, { id, units, now }: OrderUnits, from: Status[]) =>
  value<Status>(q`
      select inventory.return_order_items(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(units)},
        ${from}::text[]) as status`)

type Move = { id: number; status: Status; from: Status[]; effect: 'ship' | 'cancel' | null; now: Date }

export const changeStatus = (q: Sql, me: Principal, { id, status, from, effect, now }: Move) => q`
  select inventory.change_order_status(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${status}, ${from}::text[],
    ${effect})`

export const hasOpenOrder = async (q: Sql, tenantId: number, productId: number) =>
  (
    await q`
      select 1 from inventory.orders o
      join inventory.order_items i on i.tenant_id = o.tenant_id and i.order_id = o.id
      where o.tenant_id = ${tenantId} and o.status in ('pending', 'paid', 'fulfilling')
        and i.product_id = ${productId} limit 1`
  ).length > 0

type Period = { from: string; to: string }
type Wanted = { from: string | undefined; to: string | undefined; now: Date }

/** The last 30 days, today included, where no day is given; all days are the tenant's own. */
export const findPeriod = (q: Sql, tenantId: number, { from, to, now }: Wanted) =>
  one(q<Period[]>`
    select coalesce(${from ?? null}::date, greatest(coalesce(${to ?? null}::date, today) - 29, '0001-01-01')) as from,
      coalesce(${to ?? null}::date, greatest(today, ${from ?? null}::date)) as to
    from (select inventory.today(${tenantId}, ${now}) as today) t`)

type StatusSum = { status: Status; orders: number; revenue: string }

export const sumByStatus = (q: Sql, tenantId: number, { from, to }: Period) => q<StatusSum[]>`
  select status, count(*) as orders, sum(total_amount) as revenue from inventory.orders
  where tenant_id = ${tenantId} and created_at >= inventory.day_start(${tenantId}, ${from})
    and created_at < inventory.day_start(${tenantId}, ${to}::date + 1)
  group by status`

import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import { anywhere, areFewNumbers, hasDigits, type Page, partOfNumber } from '../lists.ts'
import type {
  FilledBackorder,
  NewPurchaseOrder,
  PurchaseOrder,
  PurchaseOrderQuery,
  PurchaseOrderSummary,
  Status,
} from './schema.ts'

type Line = { product_id: number; quantity: number; unit_cost: string | null }
type CheckedOrder = Omit<NewPurchaseOrder, 'items'> & { lines: readonly Line[] }

export const insertPurchaseOrder = (q: Sql, me: Principal, order: CheckedOrder, now: Date) =>
  one(q<{ id: number; po_number: string; total_amount: string }[]>`
    select id, inventory.purchase_order_number(number) as po_number, total_amount
    from inventory.create_purchase_order(${me.tenantId}, ${me.userId}, ${now}, ${order.supplier_id},
      ${order.warehouse_id ?? null}, ${order.expected_date ?? null}, ${order.notes ?? null}, ${q.json(order.lines)})`)

const summary = (q: Sql) => q`
  o.id, inventory.purchase_order_number(o.number) as po_number, o.supplier_id, s.name as supplier_name, o.warehouse_id,
  o.status, o.total_amount, o.expected_date, o.notes`

const supplier = (q: Sql) => q`
  join inventory.suppliers s on s.tenant_id = o.tenant_id and s.id = o.supplier_id`

export const findPurchaseOrder = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<PurchaseOrder[]>`
    select ${summary(q)}, (
      select json_agg(inventory.purchase_order_line_document(i, p) order by i.id)
      from inventory.purchase_order_items i
      join inventory.products p on p.tenant_id = i.tenant_id and p.id = i.product_id
      where i.tenant_id = o.tenant_id and i.purchase_order_id = o.id) as items, o.created_at
    from inventory.purchase_orders o ${supplier(q)} where o.tenant_id = ${tenantId} and o.id = ${id}`)

/** `dueBy`: expected on this day or earlier. */
type Filter = Pick<PurchaseOrderQuery, 'status' | 'supplier_id' | 'search'> & { dueBy?: string | undefined }

const suppliers = (q: Sql, tenantId: number, search: string) => q`
  select s.id from inventory.suppliers s where s.tenant_id = ${tenantId} and s.name ilike ${anywhere(search)}`

/** By number or supplier. Where few can match, they are found by their numbers, as orders are. */
const found = (q: Sql, tenantId: number, search: string) => {
  const part = partOfNumber(search, 'PO')
  if (part?.digits === '') return q``
  if (part && !areFewNumbers(part))
    return q`and (${hasDigits(q, part)}
      or o.supplier_id in (${suppliers(q, tenantId, search)}))`
  return q`and o.number = any (array(
    ${part ? q`select inventory.numbers_with(${tenantId}, 'purchase_order', ${part.digits}, ${part.atStart}) union all` : q``}
    select x.number from inventory.purchase_orders x
    where x.tenant_id = ${tenantId} and x.supplier_id in (${suppliers(q, tenantId, search)})))`
}

const matching = (q: Sql, tenantId: number, f: Filter) => q`
  o.tenant_id = ${tenantId} ${f.status === undefined ? q`` : q`and o.status = ${f.status}`}
  ${f.supplier_id === undefined ? q`` : q`and o.supplier_id = ${f.supplier_id}`}
  ${f.dueBy === undefined ? q`` : q`and o.status in ('ordered', 'partial') and o.expected_date <= ${f.dueBy}`}
  ${f.search ? found(q, tenantId, f.search) : q``}`

export const listPurchaseOrders = (q: Sql, tenantId: number, filter: Filter, page: Page) => q<
  PurchaseOrderSummary[]
>`
  select ${summary(q)}, n.item_count, n.units, n.units_received, o.created_at from (
    select * from inventory.purchase_orders o where ${matching(q, tenantId, filter)}
    order by o.number desc limit ${page.limit} offset ${page.offset}) o ${supplier(q)}
  cross join lateral (
    select count(*) as item_count, sum(i.quantity)::bigint as units, sum(i.quantity_received)::bigint as units_received
    from inventory.purchase_order_items i where i.tenant_id = o.tenant_id and i.purchase_order_id = o.id) n
  order by o.number desc`

export const countPurchaseOrders = (q: Sql, tenantId: number, filter: Filter) =>
  value<number>(q`
      select count(*) as total from inventory.purchase_orders o where ${matching(q, tenantId, filter)}`)

type StatusCount = { status: Status; orders: number }

export const countByStatus = (q: Sql, tenantId: number, filter: Filter) => q<StatusCount[]>`
  select o.status, count(*) as orders from inventory.purchase_orders o
  where ${matching(q, tenantId, filter)} group by o.status`

type Move = { id: number; status: Status; from: Status[]; isClosed: boolean }

export const changeStatus = (q: Sql, me: Principal, { id, status, from, isClosed }: Move) => q`
  select inventory.change_purchase_order_status(${me.tenantId}, ${id}, ${status}, ${from}::text[], ${isClosed})`

type Delivery = { quantity: number } & Record<string, unknown>
type Received = {
  received_lines: number
  inventory_updated: number
  status: Status
  backorders_filled: number
  filled_backorders: FilledBackorder[]
}
type Arrival = { id: number; deliveries: readonly Delivery[]; now: Date }

/** Receives units of an order that has one of the statuses `from`. */
export const receiveUnits = (
  q: Sql,
  me: Principal,
  { id, deliveries, now }: Arrival,
  { from, partly, wholly }: { from: Status[]; partly: Status; wholly: Status },
) =>
  one(q<Received[]>`
    select received_lines, inventory_updated, status, backorders_filled, filled_backorders
    from inventory.receive_delivery(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(deliveries)}, ${from}::text[],
      ${partly}, ${wholly})`)

export const hasOpenLine = async (q: Sql, tenantId: number, productId: number) =>
  (
    await q`
      select 1 from inventory.purchase_order_items
      where tenant_id = ${tenantId} and product_id = ${productId} and is_open limit 1`
  ).length > 0

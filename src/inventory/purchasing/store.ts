import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type {
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
      select json_agg(json_build_object('id', i.id, 'product_id', i.product_id, 'sku', i.sku,
        'product_name', i.product_name, 'quantity', i.quantity, 'quantity_received', i.quantity_received,
        'unit_cost', i.unit_cost::text, 'line_total', (i.quantity * i.unit_cost)::text) order by i.id)
      from inventory.purchase_order_items i
      where i.tenant_id = o.tenant_id and i.purchase_order_id = o.id) as items, o.created_at
    from inventory.purchase_orders o ${supplier(q)} where o.tenant_id = ${tenantId} and o.id = ${id}`)

/** `dueBy`: expected on this day or earlier. */
type Filter = Pick<PurchaseOrderQuery, 'status' | 'supplier_id'> & { dueBy?: string | undefined }

const matching = (q: Sql, tenantId: number, f: Filter) => q`
  tenant_id = ${tenantId} ${f.status === undefined ? q`` : q`and status = ${f.status}`}
  ${f.supplier_id === undefined ? q`` : q`and supplier_id = ${f.supplier_id}`}
  ${f.dueBy === undefined ? q`` : q`and status in ('ordered', 'partial') and expected_date <= ${f.dueBy}`}`

export const listPurchaseOrders = (q: Sql, tenantId: number, filter: Filter, page: Page) => q<
  PurchaseOrderSummary[]
>`
  select ${summary(q)}, o.created_at from (
    select * from inventory.purchase_orders where ${matching(q, tenantId, filter)}
    order by number desc limit ${page.limit} offset ${page.offset}) o ${supplier(q)} order by o.number desc`

export const countPurchaseOrders = async (q: Sql, tenantId: number, filter: Filter) =>
  (
    await one(q<{ total: number }[]>`
      select count(*) as total from inventory.purchase_orders where ${matching(q, tenantId, filter)}`)
  ).total

type Move = { id: number; status: Status; from: Status[]; isClosed: boolean }

export const changeStatus = (q: Sql, me: Principal, { id, status, from, isClosed }: Move) => q`
  select inventory.change_purchase_order_status(${me.tenantId}, ${id}, ${status}, ${from}::text[], ${isClosed})`

type Delivery = { quantity: number } & Record<string, unknown>
type Received = { received_lines: number; inventory_updated: number; status: Status }
type Arrival = { id: number; deliveries: readonly Delivery[]; now: Date }

/** Receives units of an order that has one of the statuses `from`. */
export const receiveUnits = (
  q: Sql,
  me: Principal,
  { id, deliveries, now }: Arrival,
  { from, partly, wholly }: { from: Status[]; partly: Status; wholly: Status },
) =>
  one(q<Received[]>`
    select received_lines, inventory_updated, status
    from inventory.receive_units(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(deliveries)}, ${from}::text[],
      ${partly}, ${wholly})`)

export const hasOpenLine = async (q: Sql, tenantId: number, productId: number) =>
  (
    await q`
      select 1 from inventory.purchase_order_items
      where tenant_id = ${tenantId} and product_id = ${productId} and is_open limit 1`
  ).length > 0

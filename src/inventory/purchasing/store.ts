import type { Sql } from '#platform/db/database.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type {
  NewPurchaseOrder,
  PurchaseOrder,
  PurchaseOrderQuery,
  PurchaseOrderSummary,
  Status,
} from './schema.ts'

export type Line = { product_id: number; quantity: number; unit_cost: string | null }
type Head = Omit<NewPurchaseOrder, 'items'>

export const insert = async (q: Sql, me: Principal, now: Date, head: Head, lines: readonly Line[]) =>
  (
    await q<{ id: number; number: number; total_amount: string }[]>`
      select id, number, total_amount from inventory.create_purchase_order(${me.tenantId}, ${me.userId}, ${now},
        ${head.supplier_id}, ${head.warehouse_id ?? null}, ${head.expected_date ?? null}, ${head.notes ?? null},
        ${q.json(lines)})`
  )[0]!

const summary = (q: Sql) => q`
  o.id, 'PO-' || lpad(o.number::text, greatest(6, length(o.number::text)), '0') as po_number, o.supplier_id,
  s.name as supplier_name, o.warehouse_id, o.status, o.total_amount, o.expected_date, o.notes`

const supplier = (q: Sql) => q`
  join inventory.suppliers s on s.tenant_id = o.tenant_id and s.id = o.supplier_id`

export const find = async (q: Sql, tenantId: number, id: number) =>
  (
    await q<PurchaseOrder[]>`
      select ${summary(q)}, (
        select json_agg(json_build_object('id', i.id, 'product_id', i.product_id, 'sku', i.sku,
          'product_name', i.product_name, 'quantity', i.quantity, 'quantity_received', i.quantity_received,
          'unit_cost', i.unit_cost::text, 'line_total', (i.quantity * i.unit_cost)::text) order by i.id)
        from inventory.purchase_order_items i
        where i.tenant_id = o.tenant_id and i.purchase_order_id = o.id) as items, o.created_at
      from inventory.purchase_orders o ${supplier(q)} where o.tenant_id = ${tenantId} and o.id = ${id}`
  )[0]

type Filter = Pick<PurchaseOrderQuery, 'status' | 'supplier_id'>

const matching = (q: Sql, tenantId: number, f: Filter) => q`
  tenant_id = ${tenantId} ${f.status === undefined ? q`` : q`and status = ${f.status}`}
  ${f.supplier_id === undefined ? q`` : q`and supplier_id = ${f.supplier_id}`}`

export const list = (q: Sql, tenantId: number, filter: Filter, page: Page) => q<PurchaseOrderSummary[]>`
  select ${summary(q)}, o.created_at from (
    select * from inventory.purchase_orders where ${matching(q, tenantId, filter)}
    order by number desc limit ${page.limit} offset ${page.offset}) o ${supplier(q)} order by o.number desc`

export const count = async (q: Sql, tenantId: number, filter: Filter) =>
  (
    await q<{ total: number }[]>`
      select count(*) as total from inventory.purchase_orders where ${matching(q, tenantId, filter)}`
  )[0]!.total

export const lock = async (q: Sql, tenantId: number, id: number) =>
  (
    await q<{ status: Status }[]>`
      select status from inventory.purchase_orders where tenant_id = ${tenantId} and id = ${id} for no key update`
  )[0]

export const setStatus = (q: Sql, tenantId: number, id: number, status: Status) => q`
  update inventory.purchase_orders set status = ${status} where tenant_id = ${tenantId} and id = ${id}`

export const closeLines = (q: Sql, tenantId: number, id: number) => q`
  update inventory.purchase_order_items set is_open = false
  where tenant_id = ${tenantId} and purchase_order_id = ${id}`

export type Arrival = { quantity: number } & Record<string, unknown>

export const receive = async (q: Sql, me: Principal, now: Date, id: number, items: readonly Arrival[]) =>
  (
    await q<{ received_lines: number; inventory_updated: number; status: Status }[]>`
      select received_lines, inventory_updated, status
      from inventory.receive_purchase_order(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(items)})`
  )[0]!

export const hasOpenLine = async (q: Sql, tenantId: number, productId: number) =>
  (
    await q`
      select 1 from inventory.purchase_order_items
      where tenant_id = ${tenantId} and product_id = ${productId} and is_open limit 1`
  ).length > 0

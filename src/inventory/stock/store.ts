import type { Sql } from '#platform/db/database.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type { InventoryQuery, InventoryRow, Movement, MovementQuery } from './schema.ts'

/** One change of a quantity on hand; it becomes exactly one movement. */
export type Change = {
  product_id: number
  warehouse_id: number
  quantity: number
  /** Where a transfer goes; the change is then the one out of `warehouse_id`. */
  to_warehouse_id?: number
  batch_id?: number | null
  serials?: readonly string[] | null
  type: 'receive' | 'adjustment' | 'transfer_out' | 'transfer_in' | 'shipment' | 'return' | 'sync'
  /** What the units cost; without it they come in at the product's `cost_price`. */
  unit_cost?: string
  reference_id?: number
  notes?: string | null
}

export const move = (q: Sql, me: Principal, now: Date, changes: readonly Change[]) => q`
  select inventory.move_stock(${me.tenantId}, ${me.userId}, ${now}, ${q.json(changes)})`

export const findRow = async (q: Sql, tenantId: number, productId: number, warehouseId: number) =>
  (
    await q<InventoryRow[]>`
      select ${columns(q)} ${joined(q)}
      where s.tenant_id = ${tenantId} and s.product_id = ${productId} and s.warehouse_id = ${warehouseId}`
  )[0]

const columns = (q: Sql) => q`
  s.product_id, p.sku, p.name as product_name, s.warehouse_id, w.name as warehouse_name, s.quantity,
  s.reserved_quantity, s.reorder_level`

const joined = (q: Sql) => q`
  from inventory.stock s
  join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
  join inventory.warehouses w on w.tenant_id = s.tenant_id and w.id = s.warehouse_id`

const oneWarehouse = (q: Sql, id: number | undefined) =>
  id === undefined ? q`` : q`and warehouse_id = ${id}`

/** By product and warehouse. The rows of the page are found in the index before anything is joined to them. */
export const listRows = (q: Sql, tenantId: number, query: InventoryQuery, page: Page) => q<InventoryRow[]>`
  select ${columns(q)} from (
    select * from inventory.stock
    where tenant_id = ${tenantId} ${oneWarehouse(q, query.warehouse_id)}
      ${query.low_stock ? q`and quantity <= reorder_level` : q``}
    order by product_id, warehouse_id limit ${page.limit} offset ${page.offset}) s
  join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
  join inventory.warehouses w on w.tenant_id = s.tenant_id and w.id = s.warehouse_id
  order by s.product_id, s.warehouse_id`

export type Sums = {
  warehouse_id: number
  warehouse_name: string
  total_skus: number
  total_quantity: number
  total_value: string
  low_stock: number
  out_of_stock: number
  movements: number
}

export const listSums = (q: Sql, tenantId: number) => q<Sums[]>`
  select w.id as warehouse_id, w.name as warehouse_name, coalesce(s.total_skus, 0) as total_skus,
    coalesce(s.total_quantity, 0) as total_quantity, round(coalesce(s.total_value, 0), 2) as total_value,
    coalesce(s.low_stock, 0) as low_stock, coalesce(s.out_of_stock, 0) as out_of_stock,
    coalesce(s.movements, 0) as movements
  from inventory.warehouses w
  left join inventory.warehouse_sums s on s.tenant_id = w.tenant_id and s.warehouse_id = w.id
  where w.tenant_id = ${tenantId} order by w.id`

export const foldSums = (q: Sql) => q`
  select inventory.fold_warehouse_changes(), inventory.fold_sales_changes(), inventory.fold_valuation_changes()`

export const markMovements = (q: Sql, before: Date) => q`select inventory.mark_movements(${before})`

export const lock = (q: Sql, tenantId: number, productId: number, warehouseId: number) => q`
  select inventory.lock_stock(${tenantId}, array[${productId}::bigint], array[${warehouseId}::bigint])`

const filters = (q: Sql, tenantId: number, f: MovementQuery) => q`
  tenant_id = ${tenantId} ${oneWarehouse(q, f.warehouse_id)}
  ${f.product_id === undefined ? q`` : q`and product_id = ${f.product_id}`}
  ${f.type === undefined ? q`` : q`and movement_type = ${f.type}`}
  ${f.from === undefined ? q`` : q`and created_at >= inventory.day_start(${tenantId}, ${f.from})`}
  ${f.to === undefined ? q`` : q`and created_at < inventory.day_start(${tenantId}, ${f.to}::date + 1)`}`

const movements = (q: Sql, page: ReturnType<Sql>) => q<Movement[]>`
  select m.id, m.product_id, p.sku, m.movement_type, m.quantity, m.warehouse_id, w.name as warehouse_name,
    m.reference_id, m.notes, u.name as created_by_name, m.created_at
  from (${page}) m
  join inventory.products p on p.tenant_id = m.tenant_id and p.id = m.product_id
  join inventory.warehouses w on w.tenant_id = m.tenant_id and w.id = m.warehouse_id
  left join inventory.users u on u.tenant_id = m.tenant_id and u.id = m.created_by
  order by m.created_at desc, m.id desc`

export const findMovements = (q: Sql, tenantId: number, query: MovementQuery, page: Page) =>
  movements(
    q,
    q`select * from inventory.movements where ${filters(q, tenantId, query)}
      order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`,
  )

/** All of them, newest first, from the nearest mark on. */
export const listMovements = (q: Sql, tenantId: number, page: Page) =>
  movements(
    q,
    q`with first as (
        select sum(movements)::bigint - ${page.offset}::bigint as number from inventory.warehouse_sums
        where tenant_id = ${tenantId}
      ), mark as materialized (
        select k.* from first, lateral (
          select number - first.number as skipped, created_at, movement_id from inventory.movement_marks
          where tenant_id = ${tenantId} and number >= first.number order by number limit 1) k)
      select * from inventory.movements where tenant_id = ${tenantId}
        and (created_at, id) <= (coalesce((select created_at from mark), 'infinity'),
          coalesce((select movement_id from mark), 9223372036854775807))
      order by created_at desc, id desc
      limit ${page.limit} offset coalesce((select skipped from mark), ${page.offset}::bigint)`,
  )

export const countMovements = async (q: Sql, tenantId: number, query: MovementQuery) =>
  (
    await q<{ total: number }[]>`
      select count(*) as total from inventory.movements where ${filters(q, tenantId, query)}`
  )[0]!.total

export const setReorderLevel = (
  q: Sql,
  tenantId: number,
  productId: number,
  warehouseId: number,
  level: number,
) => q`
  update inventory.stock set reorder_level = ${level}
  where tenant_id = ${tenantId} and product_id = ${productId} and warehouse_id = ${warehouseId}`

export const trackingOf = async (q: Sql, tenantId: number, productId: number) =>
  (
    await q<{ tracking_type: string }[]>`
      select tracking_type from inventory.products
      where tenant_id = ${tenantId} and id = ${productId} and deleted_at is null`
  )[0]?.tracking_type

/** Locks all stock rows of a product, in order. */
export const lockRowsOf = (q: Sql, tenantId: number, productId: number) => q<
  { warehouse_id: number; quantity: number; reserved_quantity: number }[]
>`
  select warehouse_id, quantity, reserved_quantity from inventory.stock
  where tenant_id = ${tenantId} and product_id = ${productId} order by warehouse_id for no key update`

export const deleteRowsOf = (q: Sql, tenantId: number, productId: number) => q`
  delete from inventory.stock where tenant_id = ${tenantId} and product_id = ${productId}`

export type Count = { sku: string; warehouse_id: number; quantity: number; expected_quantity?: number | null }
type Skipped = { sku: string; warehouse_id: number; reason: string }

export const sync = async (q: Sql, me: Principal, now: Date, rows: readonly Count[]) =>
  (
    await q<{ updated: number; skipped: Skipped[] }[]>`
      select updated, skipped
      from inventory.sync_stock(${me.tenantId}, ${me.userId}, ${now}, ${q.json(rows)})`
  )[0]!

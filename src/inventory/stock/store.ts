import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import { anywhere, type Page } from '../lists.ts'
import type {
  Adjustment, InventoryQuery, InventoryRow, LedgerEntry, Movement, MovementQuery, StockRow, Transfer,
} from './schema.ts' // biome-ignore format: one list

/** A stock row: a product in a warehouse. */
export type Place = { product_id: number; warehouse_id: number }

/** A change of a quantity on hand; see `inventory.move_stock`. */
export type Change = Place & {
  quantity: number
  /** Where a transfer goes; the change is then the one out of `warehouse_id`. */
  to_warehouse_id?: number
  batch_id?: number | null
  /** The numbers of the serials that it moves. */
  serials?: readonly string[] | null
  /** The same by their ids, with the status that they get if it is not the usual one. */
  serial_ids?: readonly number[]
  serial_status?: string
  /** What their lives say about it instead of `notes`. */
  reason?: string
  type: 'receive' | 'adjustment' | 'transfer_out' | 'transfer_in' | 'shipment' | 'return' | 'sync'
  /** What the units cost; without it they come in at the product's `cost_price`. */
  unit_cost?: string | null
  reference_id?: number
  notes?: string | null
}

export const moveStock = (q: Sql, me: Principal, changes: readonly Change[], now: Date) => q`
  select inventory.move_stock(${me.tenantId}, ${me.userId}, ${now}, ${q.json(changes)})`

/** Makes all adjustments, each of another product, or none, and returns the new quantities. */
export const adjustStock = (q: Sql, me: Principal, adjustments: readonly Adjustment[], now: Date) => {
  const changes = adjustments.map((adjustment) => ({ ...adjustment, type: 'adjustment' }))
  return value<number[]>(q`
    select inventory.adjust_stock(${me.tenantId}, ${me.userId}, ${now}, ${q.json(changes)})`)
}

export const transferStock = (q: Sql, me: Principal, input: Transfer, now: Date) => q`
  select inventory.transfer_stock(${me.tenantId}, ${me.userId}, ${now}, ${input.product_id}, ${input.from_warehouse_id},
    ${input.to_warehouse_id}, ${input.quantity}, ${input.batch_id ?? null},
    ${input.serials ? q.json(input.serials) : null}, ${input.notes ?? null})`

const columns = (q: Sql) => q`
  s.product_id, p.sku, p.name as product_name, s.warehouse_id, w.name as warehouse_name, s.quantity,
  s.reserved_quantity, s.reorder_level`

const joins = (q: Sql) => q`
  join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
  join inventory.warehouses w on w.tenant_id = s.tenant_id and w.id = s.warehouse_id`

export const findRow = (q: Sql, tenantId: number, { product_id, warehouse_id }: Place) =>
  one(q<InventoryRow[]>`
    select ${columns(q)} from inventory.stock s ${joins(q)}
    where s.tenant_id = ${tenantId} and s.product_id = ${product_id} and s.warehouse_id = ${warehouse_id}`)

const oneWarehouse = (q: Sql, id: number | undefined) =>
  id === undefined ? q`` : q`and warehouse_id = ${id}`

const outlook = (q: Sql) => q`
  s.quantity - s.reserved_quantity as available, coalesce((select sum(n.units) from inventory.incoming n
    where n.tenant_id = s.tenant_id and n.product_id = s.product_id and n.warehouse_id = s.warehouse_id), 0)::bigint
    as incoming`

const matching = (q: Sql, tenantId: number, f: InventoryQuery) => q`
  tenant_id = ${tenantId} ${oneWarehouse(q, f.warehouse_id)}
  ${f.low_stock ? q`and quantity <= reorder_level` : q``}
  ${f.state === 'low' ? q`and quantity <= reorder_level and quantity > 0` : q``}
  ${f.state === 'out' ? q`and quantity = 0` : q``}
  ${
    f.search
      ? q`and product_id in (select id from inventory.products where tenant_id = ${tenantId} and deleted_at is null
          and (sku || chr(10) || name || chr(10) || coalesce(barcode, '')) ilike ${anywhere(f.search)})`
      : q``
  }`

/** By product and warehouse. The rows of the page are found in the index before anything is joined to them. */
export const listStock = (q: Sql, tenantId: number, query: InventoryQuery, page: Page) => q<StockRow[]>`
  select ${columns(q)}, ${outlook(q)} from (
    select * from inventory.stock where ${matching(q, tenantId, query)}
    order by product_id, warehouse_id limit ${page.limit} offset ${page.offset}) s ${joins(q)}
  order by s.product_id, s.warehouse_id`

export const countStock = (q: Sql, tenantId: number, query: InventoryQuery) =>
  value<number>(q`
      select count(*) as total from inventory.stock where ${matching(q, tenantId, query)}`)

export const findStock = (q: Sql, tenantId: number, { product_id, warehouse_id }: Place) =>
  maybeOne(q<StockRow[]>`
    select ${columns(q)}, ${outlook(q)} from inventory.stock s ${joins(q)}
    where s.tenant_id = ${tenantId} and s.product_id = ${product_id} and s.warehouse_id = ${warehouse_id}`)

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
  select inventory.fold_warehouse_changes(), inventory.fold_sales_changes(), inventory.fold_valuation_changes(),
    inventory.fold_list_changes()`

export const lockStock = (q: Sql, tenantId: number, { product_id, warehouse_id }: Place) => q`
  select inventory.lock_stock(${tenantId}, array[${product_id}::bigint], array[${warehouse_id}::bigint])`

export const reserveUnit = async (q: Sql, tenantId: number, { product_id, warehouse_id }: Place) =>
  (
    await q`
      update inventory.stock set reserved_quantity = reserved_quantity + 1
      where tenant_id = ${tenantId} and product_id = ${product_id} and warehouse_id = ${warehouse_id}
        and reserved_quantity < quantity returning 1`
  ).length > 0

export const releaseUnit = (q: Sql, tenantId: number, { product_id, warehouse_id }: Place) => q`
  update inventory.stock set reserved_quantity = reserved_quantity - 1
  where tenant_id = ${tenantId} and product_id = ${product_id} and warehouse_id = ${warehouse_id}`

export const fillBackorders = (q: Sql, me: Principal, { product_id, warehouse_id }: Place, now: Date) => q`
  select inventory.fill_backorders(${me.tenantId}, ${me.userId}, ${now}, array[${product_id}::bigint], array[${warehouse_id}::bigint])`

const filters = (q: Sql, tenantId: number, f: MovementQuery) => q`
  tenant_id = ${tenantId} ${oneWarehouse(q, f.warehouse_id)}
  ${f.product_id === undefined ? q`` : q`and product_id = ${f.product_id}`}
  ${f.type === undefined ? q`` : q`and movement_type = ${f.type}`}
  ${f.from === undefined ? q`` : q`and created_at >= inventory.day_start(${tenantId}, ${f.from})`}
  ${f.to === undefined ? q`` : q`and created_at < inventory.day_start(${tenantId}, ${f.to}::date + 1)`}`

const movement = (q: Sql) => q`
  m.id, m.product_id, p.sku, m.movement_type, m.quantity, m.warehouse_id, w.name as warehouse_name, m.reference_id,
  m.notes, u.name as created_by_name, m.created_at`

/** Newest first. The rows of the page are found in an index before anything is joined to them. */
export const listMovements = (q: Sql, tenantId: number, query: MovementQuery, page: Page) => q<Movement[]>`
  select ${movement(q)}
  from (select id from inventory.movements where ${filters(q, tenantId, query)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}) page
  join inventory.movements m on m.tenant_id = ${tenantId} and m.id = page.id
  join inventory.products p on p.tenant_id = m.tenant_id and p.id = m.product_id
  join inventory.warehouses w on w.tenant_id = m.tenant_id and w.id = m.warehouse_id
  left join inventory.users u on u.tenant_id = m.tenant_id and u.id = m.created_by
  order by m.created_at desc, m.id desc`

/** All movements of a stock row, in the order in which they changed it, the last first. */
export const listLedger = (q: Sql, tenantId: number, place: Place, page: Page) => q<LedgerEntry[]>`
  select ${movement(q)}, m.balance, b.batch_number,
    case when m.movement_type in ('shipment', 'return') then (select inventory.order_number(o.number)
      from inventory.order_items i join inventory.orders o on o.tenant_id = i.tenant_id and o.id = i.order_id
      where i.tenant_id = m.tenant_id and i.id = m.order_item_id) end as order_number,
    case when m.movement_type = 'receive' then (select inventory.purchase_order_number(o.number)
      from inventory.purchase_orders o where o.tenant_id = m.tenant_id and o.id = m.reference_id) end as po_number
  from (select id from inventory.movements where tenant_id = ${tenantId} and product_id = ${place.product_id}
      and warehouse_id = ${place.warehouse_id}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}) page
  join inventory.movements m on m.tenant_id = ${tenantId} and m.id = page.id
  join inventory.products p on p.tenant_id = m.tenant_id and p.id = m.product_id
  join inventory.warehouses w on w.tenant_id = m.tenant_id and w.id = m.warehouse_id
  left join inventory.users u on u.tenant_id = m.tenant_id and u.id = m.created_by
  left join inventory.batches b on b.tenant_id = m.tenant_id and b.id = m.batch_id
  order by m.created_at desc, m.id desc`

export const countMovements = (q: Sql, tenantId: number, query: MovementQuery) =>
  value<number>(q`
      select count(*) as total from inventory.movements where ${filters(q, tenantId, query)}`)

export const setReorderLevel = (
  q: Sql,
  tenantId: number,
  { product_id, warehouse_id }: Place,
  level: number,
) => q`
  update inventory.stock set reorder_level = ${level}
  where tenant_id = ${tenantId} and product_id = ${product_id} and warehouse_id = ${warehouse_id}`

export const findTracking = async (q: Sql, tenantId: number, productId: number) =>
  (
    await maybeOne(q<{ tracking_type: string }[]>`
      select tracking_type from inventory.products
      where tenant_id = ${tenantId} and id = ${productId} and deleted_at is null`)
  )?.tracking_type

/** Locks all stock rows of a product, in order. */
export const lockRowsOf = (q: Sql, tenantId: number, productId: number) => q<
  { warehouse_id: number; quantity: number; reserved_quantity: number }[]
>`
  select warehouse_id, quantity, reserved_quantity from inventory.stock
  where tenant_id = ${tenantId} and product_id = ${productId} order by warehouse_id for no key update`

export const deleteRowsOf = (q: Sql, tenantId: number, productId: number) => q`
  delete from inventory.stock where tenant_id = ${tenantId} and product_id = ${productId}`

export type Count = { sku: string; warehouse_id: number; quantity: number; expected_quantity?: number | null }
export type Skipped = {
  /** Which of the counts it is, from 1. */
  position: number
  sku: string
  warehouse_id: number
  reason:
    | 'unknown_sku'
    | 'unknown_warehouse'
    | 'tracked_by_serial'
    | 'given_more_than_once'
    | 'unexpected_quantity'
  expected: number | null
  on_hand: number
}

export const syncStock = (q: Sql, me: Principal, counts: readonly Count[], now: Date) =>
  one(q<{ updated: number; skipped: Skipped[] }[]>`
    select updated, skipped
    from inventory.sync_stock(${me.tenantId}, ${me.userId}, ${now}, ${counts.map(({ sku }) => sku)}::text[],
      ${counts.map(({ warehouse_id }) => warehouse_id)}::bigint[], ${counts.map(({ quantity }) => quantity)}::bigint[],
      ${counts.map(({ expected_quantity }) => expected_quantity ?? null)}::bigint[])`)

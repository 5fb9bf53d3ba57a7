import type { Sql } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import { anywhere, type Page } from '../lists.ts'
import type { Batch, BatchChange, BatchQuery, ExpiringBatch, NewBatch, Trace } from './schema.ts'

const columns = (q: Sql) => q`
  b.id, b.product_id, p.sku, p.name as product_name, b.batch_number, b.lot_number, b.manufacture_date, b.expiry_date,
  coalesce(s.quantity, 0) as quantity, coalesce(s.stock, '[]') as stock, b.notes`

const parts = (q: Sql) => q`
  join inventory.products p on p.tenant_id = b.tenant_id and p.id = b.product_id
  left join lateral (
    select sum(s.quantity)::bigint as quantity, json_agg(json_build_object('warehouse_id', s.warehouse_id,
      'warehouse_name', w.name, 'quantity', s.quantity) order by s.warehouse_id) as stock
    from inventory.batch_stock s join inventory.warehouses w on w.tenant_id = s.tenant_id and w.id = s.warehouse_id
    where s.tenant_id = b.tenant_id and s.batch_id = b.id and s.quantity > 0) s on true`

/** `today` is the day from which expiry is counted. */
type Filter = Omit<BatchQuery, 'page' | 'limit'> & { today: string }

/** Found by their numbers first: there are few of them, and an index for parts of numbers. */
const found = (q: Sql, tenantId: number, search: string) => q`
  and b.id = any (array(select x.id from inventory.batches x where x.tenant_id = ${tenantId}
    and (x.batch_number || chr(10) || coalesce(x.lot_number, '')) ilike ${anywhere(search)}))`

/** Batches that expire within some days, or have expired, are listed only while some of them is left. */
const matching = (q: Sql, tenantId: number, f: Filter) => q`
  b.tenant_id = ${tenantId} ${f.product_id === undefined ? q`` : q`and b.product_id = ${f.product_id}`}
  ${f.on_hand || f.expiring_days !== undefined ? q`and b.is_on_hand` : q``}
  ${f.expiring_days === undefined ? q`` : q`and b.expiry_date <= ${f.today}::date + ${f.expiring_days}::int`}
  ${
    f.warehouse_id === undefined
      ? q``
      : q`and b.is_on_hand and exists (select from inventory.batch_stock s where s.tenant_id = b.tenant_id
          and s.batch_id = b.id and s.warehouse_id = ${f.warehouse_id} and s.quantity > 0)`
  }
  ${f.search ? found(q, tenantId, f.search) : q``}`

export const listBatches = (q: Sql, tenantId: number, filter: Filter, page: Page) => {
  const order = q.unsafe(filter.sort === 'expiry_date' ? 'b.expiry_date, b.id' : 'b.id desc')
  return q<Batch[]>`
    select ${columns(q)}, b.created_at from (
      select * from inventory.batches b where ${matching(q, tenantId, filter)}
      order by ${order} limit ${page.limit} offset ${page.offset}) b ${parts(q)} order by ${order}`
}

export const listExpiring = (q: Sql, tenantId: number, filter: Filter, page: Page) => q<ExpiringBatch[]>`
  select ${columns(q)}, b.expiry_date - ${filter.today}::date as days_until_expiry, b.created_at from (
    select * from inventory.batches b where ${matching(q, tenantId, filter)}
    order by b.expiry_date, b.id limit ${page.limit} offset ${page.offset}) b ${parts(q)}
  order by b.expiry_date, b.id`

export const countBatches = (q: Sql, tenantId: number, filter: Filter) =>
  value<number>(q`
      select count(*) as total from inventory.batches b where ${matching(q, tenantId, filter)}`)

export const findBatch = async (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Batch[]>`
    select ${columns(q)}, b.created_at from inventory.batches b ${parts(q)}
    where b.tenant_id = ${tenantId} and b.id = ${id}`)

/** Nothing when the product already has a batch of that number. */
export const insertBatch = async (q: Sql, tenantId: number, b: NewBatch, now: Date) =>
  (
    await maybeOne(q<{ id: number }[]>`
      insert into inventory.batches (tenant_id, product_id, batch_number, lot_number, manufacture_date, expiry_date,
        notes, created_at)
      values (${tenantId}, ${b.product_id}, ${b.batch_number}, ${b.lot_number ?? null}, ${b.manufacture_date ?? null},
        ${b.expiry_date ?? null}, ${b.notes ?? null}, ${now})
      on conflict on constraint batches_number_key do nothing returning id`)
  )?.id

type Fields = Required<BatchChange>

/** Nobody else changes it until the transaction ends. */
export const lockBatch = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Fields[]>`
    select batch_number, lot_number, manufacture_date, expiry_date, notes from inventory.batches
    where tenant_id = ${tenantId} and id = ${id} for no key update`)

export const updateBatch = (q: Sql, tenantId: number, id: number, b: Fields) => q`
  update inventory.batches set batch_number = ${b.batch_number}, lot_number = ${b.lot_number},
    manufacture_date = ${b.manufacture_date}, expiry_date = ${b.expiry_date}, notes = ${b.notes}
  where tenant_id = ${tenantId} and id = ${id}`

export const listReceipts = (q: Sql, tenantId: number, id: number) => q<Trace['receipts']>`
  select m.created_at as received_at, m.quantity, m.warehouse_id, w.name as warehouse_name,
    o.id as purchase_order_id, inventory.purchase_order_number(o.number) as po_number,
    s.id as supplier_id, s.name as supplier_name
  from inventory.movements m
  join inventory.warehouses w on w.tenant_id = m.tenant_id and w.id = m.warehouse_id
  left join inventory.purchase_orders o on o.tenant_id = m.tenant_id and o.id = m.reference_id
  left join inventory.suppliers s on s.tenant_id = o.tenant_id and s.id = o.supplier_id
  where m.tenant_id = ${tenantId} and m.batch_id = ${id} and m.movement_type = 'receive' order by m.id`

export const listShipments = (q: Sql, tenantId: number, id: number) => q<Trace['shipments']>`
  select m.shipped_at, o.id as order_id,
    inventory.order_number(o.number) as order_number, o.customer_id,
    c.name as customer_name, c.email as customer_email, c.phone as customer_phone, m.quantity, m.quantity_returned
  from (select reference_id as order_id, min(created_at) as shipped_at,
      -sum(quantity) filter (where movement_type = 'shipment')::bigint as quantity,
      coalesce(sum(quantity) filter (where movement_type = 'return'), 0)::bigint as quantity_returned
    from inventory.movements
    where tenant_id = ${tenantId} and batch_id = ${id} and movement_type in ('shipment', 'return')
    group by reference_id) m
  join inventory.orders o on o.tenant_id = ${tenantId} and o.id = m.order_id
  left join inventory.customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id
  order by m.shipped_at, o.id`

export const announceExpiring = (q: Sql, now: Date, { days, limit }: { days: number; limit: number }) =>
  value<number>(q`
      select inventory.announce_expiring(${now}, ${days}, ${limit}) as announced`)

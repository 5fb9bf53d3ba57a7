import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type { Serial, SerialEvent, SerialQuery, Status } from './schema.ts'

const columns = (q: Sql) => q`
  s.id, s.product_id, p.sku, p.name as product_name, s.serial_number, s.warehouse_id, w.name as warehouse_name, s.status,
  s.notes, i.order_id, s.created_at`

const parts = (q: Sql) => q`
  join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
  join inventory.warehouses w on w.tenant_id = s.tenant_id and w.id = s.warehouse_id
  left join inventory.order_items i on i.tenant_id = s.tenant_id and i.id = s.order_item_id`

const number = (q: Sql) => q`lower(s.serial_number) collate "C"`
const lastCharacter = '\u{10FFFF}'
const beginning = (q: Sql, search: string) => q`
  and ${number(q)} >= lower(${search}) and ${number(q)} < lower(${search}) || ${lastCharacter}`

const matching = (q: Sql, tenantId: number, f: SerialQuery) => q`
  s.tenant_id = ${tenantId} ${f.product_id === undefined ? q`` : q`and s.product_id = ${f.product_id}`}
  ${f.status === undefined ? q`` : q`and s.status = ${f.status}`}
  ${f.warehouse_id === undefined ? q`` : q`and s.warehouse_id = ${f.warehouse_id}`}
  ${f.search ? beginning(q, f.search) : q``}`

/** What is searched is a range of an index, and listed in its order: so nothing has to be sorted. */
export const listSerials = (q: Sql, tenantId: number, query: SerialQuery, page: Page) => {
  const order = query.search ? q`${number(q)}, s.id` : q`s.id desc`
  return q<Serial[]>`
    select ${columns(q)} from (
      select * from inventory.serials s where ${matching(q, tenantId, query)}
      order by ${order} limit ${page.limit} offset ${page.offset}) s ${parts(q)} order by ${order}`
}

export const countSerials = (q: Sql, tenantId: number, query: SerialQuery) =>
  value<number>(q`
      select count(*) as total from inventory.serials s where ${matching(q, tenantId, query)}`)

export const findSerial = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Serial[]>`
    select ${columns(q)} from inventory.serials s ${parts(q)} where s.tenant_id = ${tenantId} and s.id = ${id}`)

type Units = { product_id: number; warehouse_id: number; numbers: readonly string[]; notes: string | null }

export const insertSerials = async (q: Sql, me: Principal, units: Units, now: Date) =>
  (
    await value<string[]>(q`
      select inventory.add_serials(${me.tenantId}, ${me.userId}, ${now}, ${units.product_id}, ${units.warehouse_id},
        array(select jsonb_array_elements_text(${q.json(units.numbers)})), ${units.notes}, null, null) as ids`)
  ).map(Number)

type Locked = Pick<Serial, 'product_id' | 'warehouse_id' | 'serial_number' | 'status'> & {
  left_at_cost: string | null
}

export const lockSerial = (q: Sql, tenantId: number, id: number) =>
  one(q<Locked[]>`
    select product_id, warehouse_id, serial_number, status, left_at_cost from inventory.serials
    where tenant_id = ${tenantId} and id = ${id} for no key update`)

type Happening = { id: number; type: SerialEvent['type']; status: Status; notes: string | null; now: Date }

/** Also written down in its life. A scrapped serial is not out with an order line any more. */
export const setStatus = (q: Sql, me: Principal, { id, type, status, notes, now }: Happening) => q`
  with before as (select * from inventory.serials where tenant_id = ${me.tenantId} and id = ${id}),
  changed as (
    update inventory.serials set status = ${status},
      order_item_id = ${status === 'scrapped' ? null : q`order_item_id`}
    where tenant_id = ${me.tenantId} and id = ${id})
  insert into inventory.serial_history (tenant_id, serial_id, type, status, warehouse_id, order_item_id, notes,
    created_by, created_at)
  select tenant_id, id, ${type}, ${status}, warehouse_id, order_item_id, ${notes}, ${me.userId}, ${now} from before`

/** `serial` is what it has become. */
export const addUpdatedEvent = (q: Sql, tenantId: number, serial: Serial) => q`
  select inventory.add_event(${tenantId}, 'serial.updated', ${`serial/${serial.id}`}, ${JSON.stringify(serial)}::json)`

export const listHistory = (q: Sql, tenantId: number, id: number) => q<SerialEvent[]>`
  select h.type, h.status, h.warehouse_id, w.name as warehouse_name,
    b.id as purchase_order_id, inventory.purchase_order_number(b.number) as po_number,
    s.id as supplier_id, s.name as supplier_name,
    o.id as order_id, inventory.order_number(o.number) as order_number, c.id as customer_id, c.name as customer_name,
    h.notes, u.name as created_by_name, h.created_at
  from inventory.serial_history h
  join inventory.warehouses w on w.tenant_id = h.tenant_id and w.id = h.warehouse_id
  left join inventory.purchase_orders b on b.tenant_id = h.tenant_id and b.id = h.purchase_order_id
  left join inventory.suppliers s on s.tenant_id = b.tenant_id and s.id = b.supplier_id
  left join inventory.order_items i on i.tenant_id = h.tenant_id and i.id = h.order_item_id
  left join inventory.orders o on o.tenant_id = i.tenant_id and o.id = i.order_id
  left join inventory.customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id
  left join inventory.users u on u.tenant_id = h.tenant_id and u.id = h.created_by
  where h.tenant_id = ${tenantId} and h.serial_id = ${id} order by h.id`

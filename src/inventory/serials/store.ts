import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type { Serial, SerialQuery, Status } from './schema.ts'

const columns = (q: Sql) => q`
  s.id, s.product_id, p.sku, p.name as product_name, s.serial_number, s.warehouse_id, w.name as warehouse_name, s.status,
  s.notes, i.order_id, s.created_at`

const parts = (q: Sql) => q`
  join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
  join inventory.warehouses w on w.tenant_id = s.tenant_id and w.id = s.warehouse_id
  left join inventory.order_items i on i.tenant_id = s.tenant_id and i.id = s.order_item_id`

const matching = (q: Sql, tenantId: number, f: SerialQuery) => q`
  s.tenant_id = ${tenantId} ${f.product_id === undefined ? q`` : q`and s.product_id = ${f.product_id}`}
  ${f.status === undefined ? q`` : q`and s.status = ${f.status}`}
  ${f.warehouse_id === undefined ? q`` : q`and s.warehouse_id = ${f.warehouse_id}`}
  ${f.search ? q`and starts_with(s.serial_number, ${f.search})` : q``}`

export const listSerials = (q: Sql, tenantId: number, query: SerialQuery, page: Page) => q<Serial[]>`
  select ${columns(q)} from (
    select * from inventory.serials s where ${matching(q, tenantId, query)}
    order by s.id desc limit ${page.limit} offset ${page.offset}) s ${parts(q)} order by s.id desc`

export const countSerials = async (q: Sql, tenantId: number, query: SerialQuery) =>
  (
    await one(q<{ total: number }[]>`
      select count(*) as total from inventory.serials s where ${matching(q, tenantId, query)}`)
  ).total

export const findSerial = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Serial[]>`
    select ${columns(q)} from inventory.serials s ${parts(q)} where s.tenant_id = ${tenantId} and s.id = ${id}`)

type Units = { product_id: number; warehouse_id: number; numbers: readonly string[]; notes: string | null }

export const insertSerials = async (q: Sql, me: Principal, units: Units, now: Date) =>
  (
    await one(q<{ ids: string[] }[]>`
      select inventory.add_serials(${me.tenantId}, ${now}, ${units.product_id}, ${units.warehouse_id},
        array(select jsonb_array_elements_text(${q.json(units.numbers)})), ${units.notes}) as ids`)
  ).ids.map(Number)

type Locked = Pick<Serial, 'product_id' | 'warehouse_id' | 'serial_number' | 'status'> & {
  left_at_cost: string | null
}

export const lockSerial = (q: Sql, tenantId: number, id: number) =>
  one(q<Locked[]>`
    select product_id, warehouse_id, serial_number, status, left_at_cost from inventory.serials
    where tenant_id = ${tenantId} and id = ${id} for no key update`)

/** A scrapped serial is not out with an order line any more. */
export const setStatus = (q: Sql, tenantId: number, id: number, status: Status) => q`
  update inventory.serials set status = ${status},
    order_item_id = ${status === 'scrapped' ? null : q`order_item_id`}
  where tenant_id = ${tenantId} and id = ${id}`

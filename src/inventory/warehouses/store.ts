import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { NewWarehouse, Warehouse } from './schema.ts'

const columns = (q: Sql) => q`w.id, w.name, w.code, w.address, w.city, w.state, w.is_default`

const warehouses = (q: Sql, tenantId: number) => q`
  select ${columns(q)}, coalesce(s.total_skus, 0) as total_skus,
    round(coalesce(s.total_value, 0), 2) as total_value, w.created_at
  from inventory.warehouses w
  left join inventory.warehouse_sums s on s.tenant_id = w.tenant_id and s.warehouse_id = w.id
  where w.tenant_id = ${tenantId}`

export const listWarehouses = (q: Sql, tenantId: number) => q<Warehouse[]>`
  ${warehouses(q, tenantId)} order by w.id`

export const findWarehouse = async (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Warehouse[]>`${warehouses(q, tenantId)} and w.id = ${id}`)

export const findChosen = async (q: Sql, tenantId: number, id: number | null) =>
  (
    await maybeOne(q<{ id: number }[]>`
      select id from inventory.warehouses
      where tenant_id = ${tenantId} and ${id === null ? q`is_default` : q`id = ${id}`}`)
  )?.id

export const clearDefault = (q: Sql, tenantId: number) => q`
  update inventory.warehouses set is_default = false where tenant_id = ${tenantId} and is_default`

/** Nothing when the tenant already has a warehouse with that code. */
export const insertWarehouse = async (
  q: Sql,
  tenantId: number,
  w: NewWarehouse,
  now: Date,
): Promise<Warehouse | undefined> =>
  maybeOne(q<Warehouse[]>`
    insert into inventory.warehouses as w (tenant_id, name, code, address, city, state, is_default, created_at)
    values (${tenantId}, ${w.name}, ${w.code}, ${w.address ?? null}, ${w.city ?? null}, ${w.state ?? null}, ${w.is_default}, ${now})
    on conflict on constraint warehouses_code_key do nothing
    returning ${columns(q)}, 0 as total_skus, '0.00' as total_value, w.created_at`)

type Fields = Pick<Warehouse, 'id' | 'name' | 'code' | 'address' | 'city' | 'state' | 'is_default'>

export const updateWarehouse = (q: Sql, tenantId: number, w: Fields) => q`
  update inventory.warehouses set name = ${w.name}, code = ${w.code}, address = ${w.address}, city = ${w.city},
    state = ${w.state}, is_default = ${w.is_default}
  where tenant_id = ${tenantId} and id = ${w.id}`

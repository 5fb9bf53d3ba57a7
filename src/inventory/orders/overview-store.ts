import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Page } from '../lists.ts'
import { type Filter, matching } from './filter-store.ts'
import type { Backorder, BackorderQuery } from './overview-schema.ts'
import type { Status } from './schema.ts'

type StatusCount = { status: Status; orders: number }

export const countByStatus = (q: Sql, tenantId: number, filter: Filter) => q<StatusCount[]>`
  select o.status, count(*) as orders from inventory.orders o where ${matching(q, tenantId, filter)} group by o.status`

/** Numbers have no gaps, so the status that most orders end with need not be counted. */
export const countAllByStatus = (q: Sql, tenantId: number) => q<StatusCount[]>`
  with counted as (
    select status, count(*) as orders from inventory.orders
    where tenant_id = ${tenantId} and status in ('pending', 'paid', 'fulfilling', 'fulfilled', 'cancelled')
    group by status)
  select status, orders from counted
  union all
  select 'shipped', n.last - (select coalesce(sum(orders), 0) from counted)::bigint
  from inventory.numbers n where n.tenant_id = ${tenantId} and n.kind = 'order'`

const waiting = (q: Sql, tenantId: number, f: Partial<BackorderQuery>) => q`
  tenant_id = ${tenantId} and quantity_backordered > 0
  ${f.product_id === undefined ? q`` : q`and product_id = ${f.product_id}`}
  ${f.warehouse_id === undefined ? q`` : q`and warehouse_id = ${f.warehouse_id}`}`

/** Oldest first, as they will be filled. */
export const listBackorders = (q: Sql, tenantId: number, query: BackorderQuery, page: Page) => q<Backorder[]>`
  select i.order_id, inventory.order_number(o.number) as order_number, i.id as order_item_id, o.customer_id,
    c.name as customer_name, o.status, i.product_id, i.sku, i.product_name, i.warehouse_id, w.name as warehouse_name,
    i.quantity, i.quantity_backordered, coalesce(n.units, 0)::bigint as incoming, n.expected_date, o.created_at
  from (select * from inventory.order_items where ${waiting(q, tenantId, query)}
    order by id limit ${page.limit} offset ${page.offset}) i
  join inventory.orders o on o.tenant_id = i.tenant_id and o.id = i.order_id
  join inventory.warehouses w on w.tenant_id = i.tenant_id and w.id = i.warehouse_id
  left join inventory.customers c on c.tenant_id = o.tenant_id and c.id = o.customer_id
  left join lateral (select sum(n.units) as units, min(n.expected_date) as expected_date from inventory.incoming n
    where n.tenant_id = i.tenant_id and n.product_id = i.product_id and n.warehouse_id = i.warehouse_id) n on true
  order by i.id`

export const countBackorders = (q: Sql, tenantId: number, query: Partial<BackorderQuery> = {}) =>
  one(q<{ total: number; units: number }[]>`
    select count(*) as total, coalesce(sum(quantity_backordered), 0)::bigint as units
    from inventory.order_items where ${waiting(q, tenantId, query)}`)

export type HistoryItem = { order_item_id: number; quantity: number; notes?: string | null }
export type HistoryRow = {
  type: 'created' | 'reserved' | 'backordered' | 'status_changed' | 'shipped' | 'returned'
  status: Status | null
  items: HistoryItem[]
  created_by_name: string | null
  created_at: string
}

export type Placed = {
  items: { id: number; sku: string; product_name: string; quantity: number }[]
  history: HistoryRow[]
  created_by_name: string | null
  created_at: string
}

export const findHistory = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Placed[]>`
    select (select json_agg(json_build_object('id', i.id, 'sku', i.sku, 'product_name', i.product_name,
        'quantity', i.quantity) order by i.id)
      from inventory.order_items i where i.tenant_id = o.tenant_id and i.order_id = o.id) as items,
      (select coalesce(json_agg(json_build_object('type', h.type, 'status', h.status, 'items', h.items,
          'created_by_name', (select u.name from inventory.users u where u.tenant_id = h.tenant_id and u.id = h.created_by),
          'created_at', platform.iso_time(h.created_at)) order by h.id), '[]')
      from inventory.order_history h where h.tenant_id = o.tenant_id and h.order_id = o.id) as history,
      u.name as created_by_name, o.created_at
    from inventory.orders o left join inventory.users u on u.tenant_id = o.tenant_id and u.id = o.created_by
    where o.tenant_id = ${tenantId} and o.id = ${id}`)

import type { Fragment, Sql } from '#platform/db/database.ts'
import { type Check, ofTenant } from './checks-store.ts'

/** Around the end of the time for which events are kept, some are removed before others. */
const removedTogether = 1_000

const events = (q: Sql, tenantId: number | null, type: string) => q`
  select e.owner::bigint as tenant_id, e.data from platform.events e
  where e.service = 'inventory' and e.type = ${type}
    and ${tenantId === null ? q`true` : q`e.owner = ${String(tenantId)}`}`

type Told = {
  type: string
  table: string
  /** What the events are about, as the subject of a finding. */
  kind: string
  /** Where an event says the id of it. */
  id: (q: Sql) => Fragment
}

/**
 * Everything in a table is one event, and no event tells of something else. Rows count from the first on that has an event:
 * those of older ones are removed.
 *
 * A full join, because PostgreSQL cannot estimate how many ids the events tell of: any other join it may run as a loop over
 * all events for each row.
 */
const eachIsOneEvent =
  ({ type, table, kind, id }: Told): Check =>
  (q, t) =>
    q`
    with told as materialized (
      select tenant_id, ${id(q)} as id, count(*) as n from (${events(q, t, type)}) e group by 1, 2
    ), kept as (
      select tenant_id, min(id) as oldest, min(id) + case when exists (select from platform.event_horizons h
        where h.service = 'inventory' and h.owner = tenant_id::text and h.type = ${type}) then ${removedTogether} else 0 end as first
      from told group by 1
    )
    select case when o.id is null then 'no event tells of what is not there' else 'whatever is new is one event' end as invariant,
      ${kind}::text || ' ' || id as subject,
      case when o.id is null then 'it does not exist' else format('there are %s events of it', coalesce(n, 0)) end as detail
    from (
      select o.tenant_id, o.id, o.id >= k.first as has_event
      from kept k join ${q(`inventory.${table}`)} o on o.tenant_id = k.tenant_id and o.id >= k.oldest
    ) o full join told using (tenant_id, id)
    where o.id is null or n > 1 or (n is null and has_event)`

const movements = eachIsOneEvent({
  type: 'stock.changed',
  table: 'movements',
  kind: 'movement',
  id: (q) => q`(data -> 'movement' ->> 'id')::bigint`,
})

const created = (kind: string, table: string) =>
  eachIsOneEvent({ type: `${kind}.created`, table, kind, id: (q) => q`(data ->> 'id')::bigint` })

/** Of every subject of a kind what its last event says, as `e`, agrees with what is stored, as `o`. */
const last =
  (kind: string, table: string, said: (q: Sql) => Fragment, stored: (q: Sql) => Fragment): Check =>
  (q, t) =>
    q`
    select 'the last event agrees with what is stored' as invariant, e.subject,
      format('%s says %s, but it is %s', e.type, ${said(q)}, ${stored(q)}) as detail
    from (select distinct on (owner, subject) owner::bigint as tenant_id, subject, type, data from platform.events
      where service = 'inventory' and type like ${`${kind}.%`}
        and ${t === null ? q`true` : q`owner = ${String(t)}`} order by owner, subject, seq desc) e
    left join ${q(`inventory.${table}`)} o on o.tenant_id = e.tenant_id and o.id = split_part(e.subject, '/', 2)::bigint
    where ${said(q)} is distinct from ${stored(q)}`

const products = last(
  'product',
  'products',
  (
    q,
  ) => q`jsonb_build_array(e.data ->> 'name', e.data ->> 'sku', e.data ->> 'base_price', e.data ->> 'is_active',
    e.type = 'product.deleted')`,
  (q) => q`jsonb_build_array(o.name, o.sku, o.base_price::text, o.is_active::text, o.deleted_at is not null)`,
)

const orders = last(
  'order',
  'orders',
  (q) => q`jsonb_build_array(e.data ->> 'status', e.data -> 'items')`,
  (q) => q`jsonb_build_array(o.status, (select json_agg(inventory.order_line_document(i) order by i.id)
    from inventory.order_items i where i.tenant_id = o.tenant_id and i.order_id = o.id))`,
)

const purchaseOrders = last(
  'purchase_order',
  'purchase_orders',
  (q) => q`jsonb_build_array(e.data ->> 'status', (select sum((i ->> 'quantity_received')::bigint)
    from json_array_elements(e.data -> 'items') i))`,
  (q) => q`jsonb_build_array(o.status, (select sum(i.quantity_received) from inventory.purchase_order_items i
    where i.tenant_id = o.tenant_id and i.purchase_order_id = o.id))`,
)

const customers = last(
  'customer',
  'customers',
  (q) => q`jsonb_build_array(e.data ->> 'name', e.data ->> 'email', e.data ->> 'phone', e.data ->> 'company',
    e.data ->> 'customer_type')`,
  (q) => q`jsonb_build_array(o.name, o.email, o.phone, o.company, o.customer_type)`,
)

const batches: Check = (q, t) => q`
  select 'a batch that was announced to expire is one event' as invariant, e.subject,
    format('%s events; it was %s', e.n, case when b.is_announced then 'announced' else 'not announced' end) as detail
  from (select owner::bigint as tenant_id, subject, count(*) as n from platform.events
    where service = 'inventory' and type = 'batch.expiring' group by 1, 2) e
  left join inventory.batches b on b.tenant_id = e.tenant_id and b.id = split_part(e.subject, '/', 2)::bigint
  where ${ofTenant(q, t, q`e.tenant_id`)} and (e.n > 1 or b.is_announced is not true)`

/** Stock rows of deleted products are removed. */
const states: Check = (q, t) => q`
  select 'the last event of stock agrees with it' as invariant, e.subject || ' in warehouse ' || s.warehouse_id as subject,
    format('%s, but %s are there and the reorder level is %s', e.type, s.quantity, s.reorder_level) as detail
  from (select distinct on (owner, subject, data ->> 'warehouse_id') owner::bigint as tenant_id, subject, type,
      (data ->> 'warehouse_id')::bigint as warehouse_id
    from platform.events where service = 'inventory' and type in ('stock.out', 'stock.low', 'stock.recovered')
    order by owner, subject, data ->> 'warehouse_id', seq desc) e
  join inventory.stock s on s.tenant_id = e.tenant_id and s.product_id = split_part(e.subject, '/', 2)::bigint
    and s.warehouse_id = e.warehouse_id
  where ${ofTenant(q, t, q`e.tenant_id`)} and e.type <> inventory.stock_state(s.quantity, s.reorder_level)`

export const eventChecks: Check[] = [
  movements,
  created('product', 'products'),
  created('order', 'orders'),
  created('purchase_order', 'purchase_orders'),
  created('customer', 'customers'),
  products,
  orders,
  purchaseOrders,
  customers,
  batches,
  states,
]

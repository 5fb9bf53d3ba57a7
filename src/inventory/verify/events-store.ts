import type { Sql } from '#platform/db/database.ts'
import { type Check, ofTenant } from './checks-store.ts'

/** The rows whose events are still kept: from the first on that has one. Around the end of their time some are removed before others. */
const removedTogether = 1_000

const events = (q: Sql, tenantId: number | null, type: string) => q`
  select e.owner::bigint as tenant_id, e.data from platform.events e
  where e.service = 'inventory' and e.type = ${type}
    and ${tenantId === null ? q`true` : q`e.owner = ${String(tenantId)}`}`

const kept = (q: Sql, type: string) => q`
  select t.tenant_id, min(t.id) + case when exists (select from platform.event_horizons h where h.service = 'inventory'
    and h.owner = t.tenant_id::text and h.type = ${type}) then ${removedTogether} else 0 end as first
  from told t group by t.tenant_id`

const movementsHaveEvents: Check = (q, t) => q`
  with told as (
    select tenant_id, (data -> 'movement' ->> 'id')::bigint as id, count(*) as n
    from (${events(q, t, 'stock.changed')}) e group by 1, 2
  )
  select 'each movement is one event' as invariant, 'movement ' || m.id as subject,
    format('there are %s events of it', coalesce(told.n, 0)) as detail
  from (${kept(q, 'stock.changed')}) k
  join inventory.movements m on m.tenant_id = k.tenant_id and m.id >= k.first
  left join told on told.tenant_id = m.tenant_id and told.id = m.id
  where coalesce(told.n, 0) <> 1
  union all
  select 'no event tells of a movement that did not happen', 'movement ' || told.id, 'there is no such movement'
  from told left join inventory.movements m on m.tenant_id = told.tenant_id and m.id = told.id
  where m.id is null and ${ofTenant(q, t, q`told.tenant_id`)}`

const ordersHaveEvents: Check = (q, t) => q`
  with told as (
    select tenant_id, (data ->> 'id')::bigint as id, count(*) as n
    from (${events(q, t, 'order.created')}) e group by 1, 2
  )
  select 'each new order is one event' as invariant, 'order ' || o.id as subject,
    format('there are %s events of it', coalesce(told.n, 0)) as detail
  from (${kept(q, 'order.created')}) k
  join inventory.orders o on o.tenant_id = k.tenant_id and o.id >= k.first
  left join told on told.tenant_id = o.tenant_id and told.id = o.id
  where coalesce(told.n, 0) <> 1
  union all
  select 'no event tells of an order that was not placed', 'order ' || told.id, 'there is no such order'
  from told left join inventory.orders o on o.tenant_id = told.tenant_id and o.id = told.id
  where o.id is null`

export const eventChecks = [movementsHaveEvents, ordersHaveEvents]

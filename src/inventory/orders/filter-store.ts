import type { Sql } from '#platform/db/database.ts'
import { anywhere, areFewNumbers, hasDigits, partOfNumber } from '../lists.ts'
import type { OrderQuery } from './schema.ts'

export type Filter = Omit<OrderQuery, 'page' | 'limit'>

const customers = (q: Sql, tenantId: number, search: string) => q`
  select c.id from inventory.customers c where c.tenant_id = ${tenantId} and c.name ilike ${anywhere(search)}
    and (c.name || chr(10) || coalesce(c.company, '') || chr(10) || coalesce(c.email, '')) ilike ${anywhere(search)}`

/** Where few orders can match, they are found by their numbers; with `or` alone every order would be read. */
const found = (q: Sql, tenantId: number, search: string) => {
  const part = partOfNumber(search, 'ORD')
  // Every number has the letters.
  if (part?.digits === '') return q``
  if (part && !areFewNumbers(part))
    return q`and (${hasDigits(q, part)}
      or o.customer_id in (${customers(q, tenantId, search)}))`
  return q`and o.number = any (array(
    ${part ? q`select inventory.numbers_with(${tenantId}, 'order', ${part.digits}, ${part.atStart}) union all` : q``}
    select x.number from inventory.orders x
    where x.tenant_id = ${tenantId} and x.customer_id in (${customers(q, tenantId, search)})))`
}

/** The condition on orders `o` that a list, its total and an export share. */
export const matching = (q: Sql, tenantId: number, f: Filter) => q`
  o.tenant_id = ${tenantId}
  ${f.status === undefined ? q`` : q`and o.status = ${f.status}`}
  ${f.customer_id === undefined ? q`` : q`and o.customer_id = ${f.customer_id}`}
  ${
    f.product_id === undefined
      ? q``
      : q`and o.id in (select i.order_id from inventory.order_items i
          where i.tenant_id = ${tenantId} and i.product_id = ${f.product_id})`
  }
  ${f.channel === undefined ? q`` : q`and o.channel = ${f.channel}`}
  ${f.from === undefined ? q`` : q`and o.created_at >= inventory.day_start(${tenantId}, ${f.from})`}
  ${f.to === undefined ? q`` : q`and o.created_at < inventory.day_start(${tenantId}, ${f.to}::date + 1)`}
  ${
    f.to_ship
      ? q`and o.status in ('paid', 'fulfilling') and exists (select from inventory.order_items i
          where i.tenant_id = o.tenant_id and i.order_id = o.id and i.quantity_reserved > 0)`
      : q``
  }
  ${
    f.backordered
      ? q`and o.id in (select i.order_id from inventory.order_items i
          where i.tenant_id = ${tenantId} and i.quantity_backordered > 0)`
      : q``
  }
  ${f.search ? found(q, tenantId, f.search) : q``}`

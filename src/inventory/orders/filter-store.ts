import type { Sql } from '#platform/db/database.ts'
import { anywhere } from '../lists.ts'
import type { OrderQuery } from './schema.ts'

export type Filter = Omit<OrderQuery, 'page' | 'limit'>

/** Parts of an order number: some of what stands before its digits, and some of its digits. */
const partOfNumber = /^(?:(?:(?:O?R)?D)?-)?\d*$|^(?:O?R)?D?$|^O$/i

/** Numbers are looked up one by one if at most this many of their digits are not given; otherwise all orders are read. */
const mostDigitsOpen = 3

/** How many digits the numbers of the tenant have. */
const width = (q: Sql, tenantId: number) => q`
  (select greatest(6, length(last::text)) as width from inventory.numbers
    where tenant_id = ${tenantId} and kind = 'order') n`

/** All numbers that contain these digits. */
const containing = (q: Sql, tenantId: number, digits: string) => q`
  select (head * 10::numeric ^ (t + ${digits.length}::int) + ${digits}::numeric * 10::numeric ^ t + tail)::bigint
  from ${width(q, tenantId)}, generate_series(0, width - ${digits.length}::int) t,
    generate_series(0::numeric, 10::numeric ^ (width - ${digits.length}::int - t) - 1) head,
    generate_series(0::numeric, 10::numeric ^ t - 1) tail`

/** All numbers that begin with these digits. Only numbers of six digits begin with a zero. */
const beginning = (q: Sql, tenantId: number, digits: string) => q`
  select (${digits}::numeric * 10::numeric ^ (l - ${digits.length}::int) + tail)::bigint
  from ${width(q, tenantId)}, generate_series(greatest(6, ${digits.length}::int), width) l,
    generate_series(0::numeric, 10::numeric ^ (l - ${digits.length}::int) - 1) tail
  where l = 6 or ${!digits.startsWith('0')}`

const numbers = (q: Sql, tenantId: number, search: string) => {
  const digits = search.replace(/^\D*/, '')
  if (!partOfNumber.test(search)) return q`select null::bigint`
  return search.includes('-') ? beginning(q, tenantId, digits) : containing(q, tenantId, digits)
}

const customers = (q: Sql, tenantId: number, search: string) => q`
  select c.id from inventory.customers c where c.tenant_id = ${tenantId} and c.name ilike ${anywhere(search)}
    and (c.name || chr(10) || coalesce(c.company, '') || chr(10) || coalesce(c.email, '')) ilike ${anywhere(search)}`

/** Where few orders can match, they are found by their numbers; with `or` alone every order would be read. */
const found = (q: Sql, tenantId: number, search: string) => {
  const digits = search.replace(/^\D*/, '')
  if (!partOfNumber.test(search) || digits.length >= 6 - mostDigitsOpen)
    return q`and o.number = any (array(${numbers(q, tenantId, search)} union all
      select x.number from inventory.orders x
      where x.tenant_id = ${tenantId} and x.customer_id in (${customers(q, tenantId, search)})))`
  // Every number has the letters.
  if (digits === '') return q``
  return q`and (inventory.order_number(o.number) ilike ${anywhere(search)}
    or o.customer_id in (${customers(q, tenantId, search)}))`
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

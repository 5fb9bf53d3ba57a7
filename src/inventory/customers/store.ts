import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import { anywhere, type Page } from '../lists.ts'
import type { Address, Customer, CustomerInput, CustomerQuery, NewAddress, Sort } from './schema.ts'

const columns = (q: Sql) => q`
  c.id, c.name, c.email, c.phone, c.company, c.customer_type, c.total_orders, c.total_spent,
  (select o.created_at from inventory.orders o where o.tenant_id = c.tenant_id and o.customer_id = c.id
    order by o.number desc limit 1) as last_order_at,
  coalesce((select json_agg(inventory.address_document(a) order by a.id)
    from inventory.addresses a where a.tenant_id = c.tenant_id and a.customer_id = c.id), '[]') as addresses,
  c.created_at`

const matching = (q: Sql, tenantId: number, { search, type }: CustomerQuery) => q`
  tenant_id = ${tenantId} and deleted_at is null ${type === undefined ? q`` : q`and customer_type = ${type}`}
  ${search ? q`and (name || chr(10) || coalesce(company, '') || chr(10) || coalesce(email, '')) ilike ${anywhere(search)}` : q``}`

/** What a list of customers can be sorted by; each is the order of an index. */
const sortKeys: Record<Sort, string> = {
  name: 'lower(c.name), c.id',
  '-name': 'lower(c.name) desc, c.id desc',
  created_at: 'c.id',
  '-created_at': 'c.id desc',
}

/** The customers of the page are found in an index before anything is joined to them. */
export const listCustomers = (q: Sql, tenantId: number, query: CustomerQuery, page: Page) => {
  const order = q.unsafe(sortKeys[query.sort ?? '-created_at'])
  return q<Customer[]>`
    select ${columns(q)}
    from (select c.id from inventory.customers c where ${matching(q, tenantId, query)}
      order by ${order} limit ${page.limit} offset ${page.offset}) page
    join inventory.customers c on c.tenant_id = ${tenantId} and c.id = page.id
    order by ${order}`
}

export const countCustomers = (q: Sql, tenantId: number, query: CustomerQuery) =>
  value<number>(q`
      select count(*) as total from inventory.customers where ${matching(q, tenantId, query)}`)

export const findCustomer = async (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Customer[]>`
    select ${columns(q)} from inventory.customers c
    where c.tenant_id = ${tenantId} and c.id = ${id} and c.deleted_at is null`)

export const insertCustomer = async (q: Sql, tenantId: number, c: CustomerInput, now: Date) =>
  one(q<Customer[]>`
    insert into inventory.customers as c (tenant_id, name, email, phone, company, customer_type, created_at)
    values (${tenantId}, ${c.name}, ${c.email ?? null}, ${c.phone ?? null}, ${c.company ?? null},
      ${c.customer_type ?? 'retail'}, ${now})
    returning ${columns(q)}`)

export const updateCustomer = async (q: Sql, tenantId: number, id: number, c: CustomerInput) =>
  maybeOne(q<Customer[]>`
    update inventory.customers c set name = ${c.name}, email = ${c.email ?? null}, phone = ${c.phone ?? null},
      company = ${c.company ?? null}, customer_type = ${c.customer_type ?? 'retail'}
    where c.tenant_id = ${tenantId} and c.id = ${id} and c.deleted_at is null returning ${columns(q)}`)

/** What can be changed of a customer, who is locked until the transaction ends. */
export const lockCustomer = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<CustomerInput[]>`
    select name, email, phone, company, customer_type from inventory.customers
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null for no key update`)

/** Only the name stays, for the orders that carry it. */
export const eraseCustomer = async (q: Sql, tenantId: number, id: number, now: Date) => {
  await q`delete from inventory.addresses where tenant_id = ${tenantId} and customer_id = ${id}`
  await q`
    update inventory.customers set deleted_at = ${now}, email = null, phone = null, company = null
    where tenant_id = ${tenantId} and id = ${id}`
  // In past events, too. Those without an id are in no index of their subject.
  for (const isNumbered of [q`is not null`, q`is null`])
    await q`
      update platform.events
      set data = (data::jsonb || '{"email": null, "phone": null, "company": null, "addresses": []}')::json
      where service = 'inventory' and owner = ${String(tenantId)} and subject = ${`customer/${id}`} and id ${isNumbered}`
}

/** For changes of what belongs to a customer but is not in their row. */
export const addUpdatedEvent = (q: Sql, tenantId: number, id: number) => q`
  select inventory.add_customer_event(${tenantId}, ${id}, 'customer.updated')`

export const clearDefaultAddress = (q: Sql, tenantId: number, customerId: number, type: string) => q`
  update inventory.addresses set is_default = false
  where tenant_id = ${tenantId} and customer_id = ${customerId} and type = ${type} and is_default`

const addressColumns = (q: Sql) => q`id, customer_id, type, line1, city, state, postcode, country, is_default`

export const insertAddress = async (q: Sql, tenantId: number, customerId: number, a: NewAddress) =>
  one(q<Address[]>`
    insert into inventory.addresses (tenant_id, customer_id, type, line1, city, state, postcode, country, is_default)
    values (${tenantId}, ${customerId}, ${a.type}, ${a.line1}, ${a.city}, ${a.state ?? null},
      ${a.postcode ?? null}, ${a.country}, ${a.is_default})
    returning ${addressColumns(q)}`)

/** Which of whose addresses. */
export type AddressId = { id: number; addressId: number }

export const findAddress = (q: Sql, tenantId: number, { id, addressId }: AddressId) =>
  maybeOne(q<Address[]>`
    select ${addressColumns(q)} from inventory.addresses
    where tenant_id = ${tenantId} and customer_id = ${id} and id = ${addressId}`)

export const updateAddress = async (q: Sql, tenantId: number, { id, addressId }: AddressId, a: NewAddress) =>
  maybeOne(q<Address[]>`
    update inventory.addresses set type = ${a.type}, line1 = ${a.line1}, city = ${a.city}, state = ${a.state ?? null},
      postcode = ${a.postcode ?? null}, country = ${a.country}, is_default = ${a.is_default}
    where tenant_id = ${tenantId} and customer_id = ${id} and id = ${addressId}
    returning ${addressColumns(q)}`)

export const deleteAddress = async (q: Sql, tenantId: number, { id, addressId }: AddressId) =>
  (
    await q`delete from inventory.addresses
      where tenant_id = ${tenantId} and customer_id = ${id} and id = ${addressId} returning 1`
  ).length > 0

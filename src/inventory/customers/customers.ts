import { notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { unlessTaken } from '../duplicates.ts'
import { pageInfo, pageOf } from '../lists.ts'
import { listTotal } from '../tenants/tenants.ts'
import type { CustomerInput, CustomerQuery, NewAddress } from './schema.ts'
import * as store from './store.ts'

export const listCustomers = async (ctx: Inventory, me: Principal, query: CustomerQuery) => {
  const page = pageOf(query)
  const [customers, total] = await Promise.all([
    store.listCustomers(ctx.db.sql, me.tenantId, query, page),
    query.search || query.type
      ? store.countCustomers(ctx.db.sql, me.tenantId, query)
      : listTotal(ctx.db.sql, me, 'customers'),
  ])
  return { customers, ...pageInfo(page, total) }
}

export const readCustomer = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findCustomer(ctx.db.sql, me.tenantId, id)) ?? notFound('Customer not found')

const unlessEmailTaken = <T>(work: Promise<T>) =>
  unlessTaken('customers_email_key', 'A customer with this email already exists', work)

export const createCustomer = (ctx: Inventory, me: Principal, input: CustomerInput) =>
  unlessEmailTaken(ctx.db.write((q) => store.insertCustomer(q, me.tenantId, input, ctx.clock.now())))

export const replaceCustomer = async (ctx: Inventory, me: Principal, id: number, input: CustomerInput) =>
  (await unlessEmailTaken(ctx.db.write((q) => store.updateCustomer(q, me.tenantId, id, input)))) ??
  notFound('Customer not found')

/** Their orders stay and keep the name; everything else about the person is erased, and the email is free again. */
export const deleteCustomer = (ctx: Inventory, me: Principal, id: number) =>
  ctx.db.transaction(async (tx) => {
    if (!(await store.lockCustomer(tx, me.tenantId, id))) notFound('Customer not found')
    await store.eraseCustomer(tx, me.tenantId, id, ctx.clock.now())
    return { message: 'Customer deleted' }
  })

/** A new default replaces the one before of the same type. */
export const addAddress = (ctx: Inventory, me: Principal, id: number, input: NewAddress) =>
  ctx.db.transaction(async (tx) => {
    if (!(await store.lockCustomer(tx, me.tenantId, id))) notFound('Customer not found')
    if (input.is_default) await store.clearDefaultAddress(tx, me.tenantId, id, input.type)
    const address = await store.insertAddress(tx, me.tenantId, id, input)
    await store.addUpdatedEvent(tx, me.tenantId, id)
    return address
  })

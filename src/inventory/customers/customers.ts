import { duplicateOf } from '#platform/db/failures.ts'
import { conflict, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { pageOf } from '../lists.ts'
import type { CustomerInput, CustomerQuery, NewAddress } from './schema.ts'
import * as store from './store.ts'

export const listCustomers = async (ctx: Inventory, me: Principal, query: CustomerQuery) => {
  const page = pageOf(query)
  const [customers, total] = await Promise.all(
    query.search || query.type
      ? [
          store.findPage(ctx.db.sql, me.tenantId, query, page),
          store.countCustomers(ctx.db.sql, me.tenantId, query),
        ]
      : [store.listPage(ctx.db.sql, me.tenantId, page), store.countAll(ctx.db.sql, me.tenantId)],
  )
  return { customers, total, page: page.page, limit: page.limit }
}

export const readCustomer = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findCustomer(ctx.db.sql, me.tenantId, id)) ?? notFound('Customer not found')

const unlessTaken = async <T>(work: Promise<T>) =>
  work.catch((error) => {
    if (duplicateOf(error) === 'customers_email_key') conflict('A customer with this email already exists')
    throw error
  })

export const createCustomer = (ctx: Inventory, me: Principal, input: CustomerInput) =>
  unlessTaken(ctx.db.write((q) => store.insertCustomer(q, me.tenantId, input, ctx.clock.now())))

export const replaceCustomer = async (ctx: Inventory, me: Principal, id: number, input: CustomerInput) =>
  (await unlessTaken(ctx.db.write((q) => store.updateCustomer(q, me.tenantId, id, input)))) ??
  notFound('Customer not found')

/** Their orders stay and keep the name; everything else about the person goes, and the email is free again. */
export const deleteCustomer = (ctx: Inventory, me: Principal, id: number) =>
  ctx.db.transaction(async (tx) => {
    if (!(await store.lockCustomer(tx, me.tenantId, id))) notFound('Customer not found')
    await store.eraseCustomer(tx, me.tenantId, id, ctx.clock.now())
    return { message: 'Customer deleted' }
  })

/** One default for each type: a new default takes the place of the one before. */
export const addAddress = (ctx: Inventory, me: Principal, id: number, input: NewAddress) =>
  ctx.db.transaction(async (tx) => {
    if (!(await store.lockCustomer(tx, me.tenantId, id))) notFound('Customer not found')
    if (input.is_default) await store.clearDefaultAddress(tx, me.tenantId, id, input.type)
    return store.insertAddress(tx, me.tenantId, id, input)
  })

import type { Tx } from '#platform/db/database.ts'
import { listing } from '#platform/db/listing.ts'
import { notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { unlessTaken } from '../duplicates.ts'
import { pageInfo, pageOf } from '../lists.ts'
import { listTotal } from '../tenants/tenants.ts'
import type { AddressChange, CustomerChange, CustomerInput, CustomerQuery, NewAddress } from './schema.ts'
import * as store from './store.ts'

export const listCustomers = async (ctx: Inventory, me: Principal, query: CustomerQuery) => {
  const page = pageOf(query)
  const [customers, total] = await Promise.all([
    store.listCustomers(listing(ctx.db, page, query.search), me.tenantId, query, page),
    query.search || query.type
      ? store.countCustomers(ctx.db.long, me.tenantId, query)
      : listTotal(ctx.db.sql, me, 'customers'),
  ])
  return { customers, ...pageInfo(page, total) }
}

export const readCustomer = async (ctx: Inventory, me: Principal, id: number) =>
  (await store.findCustomer(ctx.db.sql, me.tenantId, id)) ?? notFound('Customer not found')

const email = {
  constraint: 'customers_email_key',
  field: 'email',
  message: 'A customer with this email already exists',
}
const unlessEmailTaken = <T>(work: Promise<T>) => unlessTaken(email, work)

export const createCustomer = (ctx: Inventory, me: Principal, input: CustomerInput) =>
  unlessEmailTaken(ctx.db.write((q) => store.insertCustomer(q, me.tenantId, input, ctx.clock.now())))

export const replaceCustomer = async (ctx: Inventory, me: Principal, id: number, input: CustomerInput) =>
  (await unlessEmailTaken(ctx.db.write((q) => store.updateCustomer(q, me.tenantId, id, input)))) ??
  notFound('Customer not found')

/** What is left out stays as it is. */
export const changeCustomer = (ctx: Inventory, me: Principal, id: number, change: CustomerChange) =>
  unlessEmailTaken(
    ctx.db.transaction(async (tx) => {
      const before = (await store.lockCustomer(tx, me.tenantId, id)) ?? notFound('Customer not found')
      return store.updateCustomer(tx, me.tenantId, id, { ...before, ...change })
    }),
  )

/** Their orders stay and keep the name; everything else about the person is erased, and the email is free again. */
export const deleteCustomer = (ctx: Inventory, me: Principal, id: number) =>
  ctx.db.transaction(async (tx) => {
    if (!(await store.lockCustomer(tx, me.tenantId, id))) notFound('Customer not found')
    await store.eraseCustomer(tx, me.tenantId, id, ctx.clock.now())
    return { message: 'Customer deleted' }
  })

/** Changes the addresses of a customer, who is locked meanwhile. */
const changeAddresses = <T>(ctx: Inventory, me: Principal, id: number, change: (tx: Tx) => Promise<T>) =>
  ctx.db.transaction(async (tx) => {
    if (!(await store.lockCustomer(tx, me.tenantId, id))) notFound('Customer not found')
    const changed = await change(tx)
    await store.addUpdatedEvent(tx, me.tenantId, id)
    return changed
  })

/** A new default replaces the one before of the same type. */
const makeRoom = async (tx: Tx, me: Principal, id: number, { is_default, type }: NewAddress) => {
  if (is_default) await store.clearDefaultAddress(tx, me.tenantId, id, type)
}

export const addAddress = (ctx: Inventory, me: Principal, id: number, input: NewAddress) =>
  changeAddresses(ctx, me, id, async (tx) => {
    await makeRoom(tx, me, id, input)
    return store.insertAddress(tx, me.tenantId, id, input)
  })

export const replaceAddress = (ctx: Inventory, me: Principal, at: store.AddressId, input: NewAddress) =>
  changeAddresses(ctx, me, at.id, async (tx) => {
    await makeRoom(tx, me, at.id, input)
    return (await store.updateAddress(tx, me.tenantId, at, input)) ?? notFound('Address not found')
  })

/** What is left out stays as it is. */
export const changeAddress = (ctx: Inventory, me: Principal, at: store.AddressId, change: AddressChange) =>
  changeAddresses(ctx, me, at.id, async (tx) => {
    const before = (await store.findAddress(tx, me.tenantId, at)) ?? notFound('Address not found')
    const after = { ...before, ...change }
    await makeRoom(tx, me, at.id, after)
    return store.updateAddress(tx, me.tenantId, at, after)
  })

/** Orders keep the address that they were placed with. */
export const deleteAddress = (ctx: Inventory, me: Principal, at: store.AddressId) =>
  changeAddresses(ctx, me, at.id, async (tx) => {
    if (!(await store.deleteAddress(tx, me.tenantId, at))) notFound('Address not found')
    return { message: 'Address deleted' }
  })

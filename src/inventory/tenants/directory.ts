import type { ListPage } from '#platform/list-page.ts'
import type { Inventory } from '../context.ts'
import * as store from './directory-store.ts'

/** Every tenant, oldest first, for the operator. */
export const listTenants = async ({ db }: Inventory, page: ListPage) => ({
  total: await store.countTenants(db.sql, page.search),
  rows: await store.listTenants(db.sql, page),
})

/** The users of every tenant, oldest first, for the operator. */
export const listUsers = async ({ db }: Inventory, page: ListPage) => ({
  total: await store.countUsers(db.sql, page.search),
  rows: await store.listUsers(db.sql, page),
})

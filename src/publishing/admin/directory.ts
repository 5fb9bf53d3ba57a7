import type { ListPage } from '#platform/list-page.ts'
import type { Publishing } from '../context.ts'
import * as store from './directory-store.ts'

export type { AccountRow } from './directory-store.ts'

/** Every account, suspended ones too, oldest first, for the operator. */
export const listAccounts = async ({ db }: Publishing, page: ListPage) => ({
  total: await store.countAccounts(db.sql, page.search),
  rows: await store.listAccounts(db.sql, page),
})

import type { ListPage } from '#platform/list-page.ts'
import type { Storage } from '../context.ts'
import * as store from './organizations-store.ts'

/** Every organization, oldest first, for the operator. */
export const listOrganizations = async (ctx: Storage, page: ListPage) => ({
  total: await store.countOrganizations(ctx.db.sql, page.search),
  rows: await store.listOrganizations(ctx.db.sql, page, ctx.clock.now()),
})

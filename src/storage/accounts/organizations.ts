import { lru } from '#platform/cache/lru.ts'
import type { ListPage } from '#platform/list-page.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Storage } from '../context.ts'
import * as store from './organizations-store.ts'

/** Every organization, oldest first, for the operator. */
export const listOrganizations = async (ctx: Storage, page: ListPage) => ({
  total: await store.countOrganizations(ctx.db.sql, page.search),
  rows: await store.listOrganizations(ctx.db.sql, page, ctx.clock.now()),
})

/** Everybody's account, oldest first, for the operator. */
export const listAccounts = async (ctx: Storage, page: ListPage) => ({
  total: await store.countAccounts(ctx.db.sql, page.search),
  rows: await store.listAccounts(ctx.db.sql, page),
})

/** Ids by slug, which never changes. */
const idsBySlug = moduleState(() => lru<string>(20_000))

/** The id of an organization by its slug. */
export const organizationNamed = async (ctx: Storage, slug: string) => {
  const ids = idsBySlug(ctx)
  const id = ids.get(slug) ?? (await store.findIdBySlug(ctx.db.sql, slug))
  if (id !== undefined) ids.set(slug, id)
  return id
}

/** The id of the owner, of whom every organization has one. */
export const ownerOf = (ctx: Storage, orgId: string) => store.findOwner(ctx.db.sql, orgId)

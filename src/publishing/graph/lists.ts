import type { Principal, Publishing } from '../context.ts'
import { type PageQuery, sliceOf } from '../paging.ts'
import { readAccounts, readProfiles, requireActiveUser } from '../profiles/profiles.ts'
import * as store from './lists-store.ts'

export const listFollowers = async (ctx: Publishing, handle: string, page: PageQuery) => {
  const { id } = await requireActiveUser(ctx, handle)
  const { ids, total } = await store.listFollowers(ctx.db.sql, id, sliceOf(page))
  return { users: await readProfiles(ctx, ids), total }
}

export const listFollowing = async (ctx: Publishing, handle: string, page: PageQuery) => {
  const { id } = await requireActiveUser(ctx, handle)
  const { ids, total } = await store.listFollowing(ctx.db.sql, id, sliceOf(page))
  return { users: await readProfiles(ctx, ids), total }
}

export const listRequests = async (ctx: Publishing, me: Principal, page: PageQuery) => {
  const { ids, total } = await store.listRequests(ctx.db.sql, me.userId, sliceOf(page))
  return { users: await readProfiles(ctx, ids), total }
}

const ownLists = { following: store.listAllFollowing, blocked: store.listBlocked, muted: store.listMuted }

/** Whom an account follows, blocks or mutes, for itself: suspended accounts are included, so that it can undo it. */
export const listOwn = async (
  ctx: Publishing,
  me: Principal,
  which: keyof typeof ownLists,
  page: PageQuery,
) => {
  const { ids, total } = await ownLists[which](ctx.db.sql, me.userId, sliceOf(page))
  return { users: await readAccounts(ctx, ids), total }
}

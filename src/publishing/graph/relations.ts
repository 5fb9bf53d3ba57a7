import type { Principal, Publishing } from '../context.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { readPeople } from '../profiles/profiles.ts'
import * as store from './relation-store.ts'
import type { FollowStatus } from './schema.ts'

/** How an account stands to another one. */
export type Relation = { status: FollowStatus; blocks: boolean; mutes: boolean }

export const relationTo = async (ctx: Publishing, me: Principal, id: number): Promise<Relation> => {
  const { is_accepted, blocks, mutes } = await store.findRelation(ctx.db.sql, me.userId, id)
  return { status: is_accepted === null ? 'none' : is_accepted ? 'following' : 'requested', blocks, mutes }
}

const lists = { following: store.listFollowed, blocked: store.listBlocked, muted: store.listMuted }

/** Whom an account follows, or does not want to see: all whom it can let go again, suspended or not. */
export const listOwn = async (ctx: Publishing, me: Principal, which: keyof typeof lists, page: PageQuery) => {
  const { ids, total } = await lists[which](ctx.db.sql, me.userId, page.limit, offsetOf(page))
  return { users: await readPeople(ctx, ids), total }
}

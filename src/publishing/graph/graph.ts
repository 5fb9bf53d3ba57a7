import { forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { changed, changedSoon } from '../invalidation.ts'
import { requireUser } from '../profiles/profiles.ts'
import * as counters from './follow-counters-store.ts'
import { graphRefusals, userNotFound } from './refusals.ts'
import type { FollowStatus } from './schema.ts'
import * as store from './store.ts'

const statusOf = (isAccepted: boolean | null | undefined): FollowStatus =>
  isAccepted == null ? 'none' : isAccepted ? 'following' : 'requested'

const requireOtherUser = async (ctx: Publishing, me: Principal, handle: string, verb: string) => {
  const account = await requireUser(ctx, handle)
  if (account.id === me.userId) invalid('handle', `is your own: you cannot ${verb} yourself`)
  return account
}

/** What an account has decided about another one. */
export type Relationship = { status: FollowStatus; blocks: boolean; mutes: boolean }

/** The same about several others, by their ids. */
export const relationshipsTo = async (
  ctx: Publishing,
  me: Principal,
  ids: readonly number[],
): Promise<Map<number, Relationship>> => {
  const rows = await store.findRelationships(ctx.db.sql, me.userId, ids)
  return new Map(
    rows.map(({ id, is_accepted, blocks, mutes }) => [id, { status: statusOf(is_accepted), blocks, mutes }]),
  )
}

export const relationshipTo = async (ctx: Publishing, me: Principal, id: number): Promise<Relationship> =>
  (await relationshipsTo(ctx, me, [id])).get(id)!

const followChanged = (ctx: Publishing, follower: number, followee: number) =>
  changed(ctx, { counters: [follower, followee], relations: [follower] })

export const follow = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireOtherUser(ctx, me, handle, 'follow')
  if (other.isSuspended) forbidden('Account suspended')
  const pair = { follower: me.userId, followee: other.id }
  const result = await ctx.db.write((q) => store.follow(q, pair, ctx.clock.now()))
  if (result.refusal) return graphRefusals[result.refusal]()
  if (result.added && result.accepted) followChanged(ctx, me.userId, other.id)
  return { status: statusOf(result.accepted), handle: other.handle }
}

export const unfollow = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireOtherUser(ctx, me, handle, 'unfollow')
  const pair = { follower: me.userId, followee: other.id }
  if (await ctx.db.write((q) => store.unfollow(q, pair))) followChanged(ctx, me.userId, other.id)
  return { status: 'none' as const, handle: other.handle }
}

export const block = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'block')
  const unfollowed = await ctx.db.write((q) => store.block(q, me.userId, id))
  if (!unfollowed) return userNotFound()
  changed(ctx, {
    counters: unfollowed.length > 0 ? [me.userId, id] : [],
    relations: [...unfollowed, me.userId],
  })
  return { blocked: true }
}

export const unblock = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'unblock')
  await ctx.db.write((q) => store.deleteBlock(q, me.userId, id))
  changed(ctx, { relations: [me.userId] })
  return { blocked: false }
}

export const mute = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'mute')
  await ctx.db.write((q) => store.insertMute(q, me.userId, id))
  changed(ctx, { relations: [me.userId] })
  return { muted: true }
}

export const unmute = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'unmute')
  await ctx.db.write((q) => store.deleteMute(q, me.userId, id))
  changed(ctx, { relations: [me.userId] })
  return { muted: false }
}

const requestNotFound = () => notFound('Follow request not found')

export const acceptRequest = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireUser(ctx, handle)
  const pair = { follower: other.id, followee: me.userId }
  const accepted = await ctx.db.write((q) => store.acceptFollow(q, pair, ctx.clock.now()))
  if (!accepted) requestNotFound()
  followChanged(ctx, other.id, me.userId)
  return { status: 'accepted' as const, handle: other.handle }
}

export const rejectRequest = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireUser(ctx, handle)
  const pair = { follower: other.id, followee: me.userId }
  if (!(await ctx.db.write((q) => store.deleteRequest(q, pair)))) requestNotFound()
  return { status: 'rejected' as const, handle: other.handle }
}

/** The accounts with which this one has a follow that does not match whether both are public, protected or suspended. */
export const findMismatchedFollows = (ctx: Publishing, id: number) =>
  counters.findMismatchedFollows(ctx.db.sql, id)

export const reconcileFollows = (ctx: Publishing, id: number, others: number[]) =>
  ctx.db.transaction(async (tx) => {
    await counters.lockAccounts(tx, [id, ...others])
    await counters.notifyOfAcceptance(tx, id, others, ctx.clock.now())
    const changed = await counters.recountFollows(tx, id, others)
    changedSoon(ctx, { counters: changed, relations: changed })
  })

import type { Tx } from '#platform/db/database.ts'
import { forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import { requireUser } from '../profiles/profiles.ts'
import { recountFollows } from './follow-counters-store.ts'
import type { FollowStatus } from './schema.ts'
import * as store from './store.ts'

const userNotFound = () => notFound('User not found')
const statusOf = (isAccepted: boolean | null | undefined): FollowStatus =>
  isAccepted == null ? 'none' : isAccepted ? 'following' : 'requested'

const requireOtherUser = async (ctx: Publishing, me: Principal, handle: string, verb: string) => {
  const account = await requireUser(ctx, handle)
  if (account.id === me.userId) invalid('handle', `is your own: you cannot ${verb} yourself`)
  return account
}

/** What an account has decided about another one. */
export type Relationship = { status: FollowStatus; blocks: boolean; mutes: boolean }

export const relationshipTo = async (ctx: Publishing, me: Principal, id: number): Promise<Relationship> => {
  const { is_accepted, blocks, mutes } = await store.findRelationship(ctx.db.sql, me.userId, id)
  return { status: statusOf(is_accepted), blocks, mutes }
}

const followChanged = (ctx: Publishing, tx: Tx, follower: number, followee: number) =>
  invalidate(ctx, tx, { counters: [follower, followee], relations: [follower] })

const countFollow = async (ctx: Publishing, tx: Tx, follower: number, followee: number) => {
  await recountFollows(tx, follower, [followee])
  await followChanged(ctx, tx, follower, followee)
}

export const follow = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireOtherUser(ctx, me, handle, 'follow')
  if (other.isSuspended) forbidden('Account suspended')
  return ctx.db.transaction(async (tx) => {
    const locked = await store.lockPair(tx, me.userId, other.id)
    const followee = locked.find((row) => row.id === other.id) ?? userNotFound()
    if (locked.length < 2) userNotFound()
    const existing = await store.findFollow(tx, me.userId, other.id)
    if (existing) return { status: statusOf(existing.is_accepted), handle: other.handle }
    if (await store.isBlockedBetween(tx, me.userId, other.id)) forbidden('You cannot follow this account')
    const isAccepted = !followee.is_protected
    const now = ctx.clock.now()
    await store.insertFollow(tx, { follower: me.userId, followee: other.id, isAccepted, now })
    if (isAccepted) await countFollow(ctx, tx, me.userId, other.id)
    return { status: statusOf(isAccepted), handle: other.handle }
  })
}

const removeFollow = async (ctx: Publishing, tx: Tx, follower: number, followee: number) => {
  if (await store.deleteFollow(tx, follower, followee)) await followChanged(ctx, tx, follower, followee)
}

export const unfollow = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireOtherUser(ctx, me, handle, 'unfollow')
  return ctx.db.transaction(async (tx) => {
    await store.lockPair(tx, me.userId, other.id)
    await removeFollow(ctx, tx, me.userId, other.id)
    return { status: 'none' as const, handle: other.handle }
  })
}

export const block = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'block')
  return ctx.db.transaction(async (tx) => {
    if ((await store.lockPair(tx, me.userId, id)).length < 2) userNotFound()
    await store.insertBlock(tx, me.userId, id)
    await removeFollow(ctx, tx, me.userId, id)
    await removeFollow(ctx, tx, id, me.userId)
    return { blocked: true }
  })
}

export const unblock = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'unblock')
  await ctx.db.write((q) => store.deleteBlock(q, me.userId, id))
  return { blocked: false }
}

export const mute = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'mute')
  return ctx.db.transaction(async (tx) => {
    await store.insertMute(tx, me.userId, id)
    await invalidate(ctx, tx, { relations: [me.userId] })
    return { muted: true }
  })
}

export const unmute = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await requireOtherUser(ctx, me, handle, 'unmute')
  return ctx.db.transaction(async (tx) => {
    await store.deleteMute(tx, me.userId, id)
    await invalidate(ctx, tx, { relations: [me.userId] })
    return { muted: false }
  })
}

const requestNotFound = () => notFound('Follow request not found')

export const acceptRequest = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireUser(ctx, handle)
  return ctx.db.transaction(async (tx) => {
    await store.lockPair(tx, me.userId, other.id)
    if (!(await store.acceptFollow(tx, other.id, me.userId))) requestNotFound()
    await countFollow(ctx, tx, other.id, me.userId)
    return { status: 'accepted' as const, handle: other.handle }
  })
}

export const rejectRequest = async (ctx: Publishing, me: Principal, handle: string) => {
  const other = await requireUser(ctx, handle)
  return ctx.db.transaction(async (tx) => {
    await store.lockPair(tx, me.userId, other.id)
    if (!(await store.deleteRequest(tx, other.id, me.userId))) requestNotFound()
    return { status: 'rejected' as const, handle: other.handle }
  })
}

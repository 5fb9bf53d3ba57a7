import type { Tx } from '#platform/db/database.ts'
import { forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { forget } from '../memory.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { personByHandle, reachable, readProfiles } from '../profiles/profiles.ts'
import type { FollowStatus } from './schema.ts'
import * as store from './store.ts'

const missing = () => notFound('User not found')
const statusOf = (follow: { is_accepted: boolean } | undefined): FollowStatus =>
  !follow ? 'none' : follow.is_accepted ? 'following' : 'requested'

const other = async (ctx: Publishing, me: Principal, handle: string, verb: string) => {
  const person = await personByHandle(ctx, handle)
  if (person.id === me.userId) invalid('handle', `is your own: you cannot ${verb} yourself`)
  return person
}

/** Counts a follow between the two and makes everybody forget what it changes. */
const count = async (ctx: Publishing, tx: Tx, follower: number, followee: number, by: 1 | -1) => {
  await store.countFollow(tx, follower, followee, by)
  await forget(ctx, tx, { tallies: [follower, followee], circle: [follower] })
}

export const follow = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id, isSuspended, handle: name } = await other(ctx, me, handle, 'follow')
  if (isSuspended) forbidden('Account suspended')
  return ctx.db.transaction(async (tx) => {
    const locked = await store.lockPair(tx, me.userId, id)
    const followee = locked.find((row) => row.id === id) ?? missing()
    if (locked.length < 2) missing()
    const existing = await store.findFollow(tx, me.userId, id)
    if (existing) return { status: statusOf(existing), handle: name }
    if (await store.isBlockedBetween(tx, me.userId, id)) forbidden('You cannot follow this account')
    const accepted = !followee.is_protected
    await store.insertFollow(tx, me.userId, id, accepted, ctx.clock.now())
    if (accepted) await count(ctx, tx, me.userId, id, 1)
    return { status: statusOf({ is_accepted: accepted }), handle: name }
  })
}

const removeFollow = async (ctx: Publishing, tx: Tx, follower: number, followee: number) => {
  const removed = await store.deleteFollow(tx, follower, followee)
  if (removed?.is_accepted) await count(ctx, tx, follower, followee, -1)
}

export const unfollow = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id, handle: name } = await other(ctx, me, handle, 'unfollow')
  return ctx.db.transaction(async (tx) => {
    await store.lockPair(tx, me.userId, id)
    await removeFollow(ctx, tx, me.userId, id)
    return { status: 'none' as const, handle: name }
  })
}

export const block = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await other(ctx, me, handle, 'block')
  return ctx.db.transaction(async (tx) => {
    if ((await store.lockPair(tx, me.userId, id)).length < 2) missing()
    await store.insertBlock(tx, me.userId, id)
    await removeFollow(ctx, tx, me.userId, id)
    await removeFollow(ctx, tx, id, me.userId)
    return { blocked: true }
  })
}

export const unblock = async (ctx: Publishing, me: Principal, handle: string) => {
  const { id } = await other(ctx, me, handle, 'unblock')
  await ctx.db.write((q) => store.deleteBlock(q, me.userId, id))
  return { blocked: false }
}

export const mute = async (ctx: Publishing, me: Principal, handle: string, muted: boolean) => {
  const { id } = await other(ctx, me, handle, muted ? 'mute' : 'unmute')
  return ctx.db.transaction(async (tx) => {
    await (muted ? store.insertMute(tx, me.userId, id) : store.deleteMute(tx, me.userId, id))
    await forget(ctx, tx, { circle: [me.userId] })
    return { muted }
  })
}

export const answerRequest = async (ctx: Publishing, me: Principal, handle: string, accept: boolean) => {
  const { id, handle: name } = await personByHandle(ctx, handle)
  return ctx.db.transaction(async (tx) => {
    await store.lockPair(tx, me.userId, id)
    const found = accept
      ? await store.acceptFollow(tx, id, me.userId)
      : await store.deleteRequest(tx, id, me.userId)
    if (!found) notFound('Follow request not found')
    if (accept) await count(ctx, tx, id, me.userId, 1)
    return { status: accept ? ('accepted' as const) : ('rejected' as const), handle: name }
  })
}

/** An account that becomes public has nobody left to approve. */
export const acceptAllRequests = async (ctx: Publishing, tx: Tx, followee: number) => {
  const followers = await store.acceptEverybody(tx, followee)
  await forget(ctx, tx, { tallies: [followee, ...followers], circle: followers })
}

const shown = async (ctx: Publishing, { ids, total }: { ids: number[]; total: number }) => ({
  users: await readProfiles(ctx, ids),
  total,
})

export const listFollowers = async (ctx: Publishing, handle: string, page: PageQuery) => {
  const person = await reachable(ctx, handle)
  return shown(ctx, await store.listFollowers(ctx.db.sql, person.id, true, page.limit, offsetOf(page)))
}

export const listFollowing = async (ctx: Publishing, handle: string, page: PageQuery) => {
  const person = await reachable(ctx, handle)
  return shown(ctx, await store.listFollowing(ctx.db.sql, person.id, page.limit, offsetOf(page)))
}

export const listRequests = async (ctx: Publishing, me: Principal, page: PageQuery) =>
  shown(ctx, await store.listFollowers(ctx.db.sql, me.userId, false, page.limit, offsetOf(page)))

import type { Tx } from '#platform/db/database.ts'
import { forbidden, invalid, notFound } from '#platform/errors.ts'
import { inBatches } from '../batches.ts'
import type { Principal, Publishing } from '../context.ts'
import { forget, forgetSoon } from '../memory.ts'
import { readPage } from '../numbered.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { personByHandle, reachable, readProfiles } from '../profiles/profiles.ts'
import * as counting from './counting-store.ts'
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

const changed = (ctx: Publishing, tx: Tx, follower: number, followee: number) =>
  forget(ctx, tx, { tallies: [follower, followee], circle: [follower] })

/** Counts a new follow between the two. */
const count = async (ctx: Publishing, tx: Tx, follower: number, followee: number) => {
  await counting.recount(tx, follower, [followee])
  await changed(ctx, tx, follower, followee)
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
    if (accepted) await count(ctx, tx, me.userId, id)
    return { status: statusOf({ is_accepted: accepted }), handle: name }
  })
}

const removeFollow = async (ctx: Publishing, tx: Tx, follower: number, followee: number) => {
  if (await store.deleteFollow(tx, follower, followee)) await changed(ctx, tx, follower, followee)
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
    if (accept) await count(ctx, tx, id, me.userId)
    return { status: accept ? ('accepted' as const) : ('rejected' as const), handle: name }
  })
}

/** Brings the follows of and by an account in line with what it has become: public, protected or suspended. */
export const settleFollows = async (ctx: Publishing, id: number) =>
  inBatches(await counting.strayFollows(ctx.db.sql, id), (others) =>
    ctx.db.transaction(async (tx) => {
      await counting.lockUsers(tx, [id, ...others])
      const touched = await counting.recount(tx, id, others)
      forgetSoon(ctx, { tallies: touched, circle: touched })
    }),
  )

const shown = async (ctx: Publishing, { ids, total }: { ids: number[]; total: number }) => ({
  users: await readProfiles(ctx, ids),
  total,
})

export const listFollowers = async (ctx: Publishing, handle: string, page: PageQuery) => {
  const person = await reachable(ctx, handle)
  return shown(ctx, await readPage(ctx, { name: 'followers', owner: person.id }, page))
}

export const listFollowing = async (ctx: Publishing, handle: string, page: PageQuery) => {
  const person = await reachable(ctx, handle)
  return shown(ctx, await readPage(ctx, { name: 'following', owner: person.id }, page))
}

export const listRequests = async (ctx: Publishing, me: Principal, page: PageQuery) =>
  shown(ctx, await store.listRequests(ctx.db.sql, me.userId, page.limit, offsetOf(page)))

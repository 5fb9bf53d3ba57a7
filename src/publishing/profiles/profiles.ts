import { forbidden, notFound } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { settleFollows } from '../graph/graph.ts'
import { settleLikes } from '../interactions/interactions.ts'
import { forget } from '../memory.ts'
import { settlePosts } from '../posts/audience.ts'
import { fold } from '../words.ts'
import type { Profile, ProfileChange } from './schema.ts'
import * as store from './store.ts'

/** For rules of other modules that hold an account while they change what belongs to it. */
export { findPeople, lockUser, lockWithPosts } from './store.ts'

const missing = () => notFound('User not found')

const handlePattern = /^[A-Za-z0-9_]{3,30}$/

/** The account behind a handle, whatever its state. */
export const personByHandle = async (ctx: Publishing, handle: string): Promise<store.Person> => {
  if (!handlePattern.test(handle)) return missing()
  const id = await ctx.memory.handles.get(handle.toLowerCase())
  return (id === undefined ? undefined : await ctx.memory.people.get(String(id))) ?? missing()
}

/** The same for whoever wants to see or reach it: not while it is suspended. */
export const reachable = async (ctx: Publishing, handle: string) => {
  const person = await personByHandle(ctx, handle)
  if (person.isSuspended) forbidden('Account suspended')
  return person
}

const profileOf = (
  { epoch: _, isAdmin: __, isSuspended: ___, created_at, ...person }: store.Person,
  { follower_count, following_count, post_count }: store.Tallies,
): Profile => ({ ...person, follower_count, following_count, post_count, created_at })

export const readProfile = async (ctx: Publishing, handle: string) => {
  const person = await reachable(ctx, handle)
  return profileOf(person, (await ctx.memory.tallies.get(String(person.id))) ?? missing())
}

/** Full profiles in the order of `ids`; accounts that are gone or suspended are left out. */
export const readProfiles = async (ctx: Publishing, ids: readonly number[]): Promise<Profile[]> => {
  const { people, tallies } = ctx.memory
  const found = await Promise.all(
    ids.map(async (id) => {
      const [person, counts] = await Promise.all([people.get(String(id)), tallies.get(String(id))])
      return person && counts && !person.isSuspended ? [profileOf(person, counts)] : []
    }),
  )
  return found.flat()
}

/** Accounts in the order of `ids`, suspended or not: for lists that nobody but their owner sees. */
export const readPeople = async (ctx: Publishing, ids: readonly number[]): Promise<store.Person[]> => {
  const found = await Promise.all(ids.map((id) => ctx.memory.people.get(String(id))))
  return found.filter((person) => person !== undefined)
}

export const ownProfile = async (ctx: Publishing, me: Principal) =>
  (await store.findProfile(ctx.db.sql, me.userId)) ?? missing()

const changeable = [
  'username',
  'bio',
  'location',
  'website',
  'avatar_url',
  'banner_url',
  'is_protected',
] as const

export const changeProfile = async (ctx: Publishing, me: Principal, input: ProfileChange) => {
  const given = changeable.filter((field) => input[field] !== undefined).map((field) => [field, input[field]])
  if (given.length === 0) return ownProfile(ctx, me)
  const change = Object.fromEntries(given) as ProfileChange
  await ctx.db.transaction(async (tx) => {
    const before = (await store.lockUser(tx, me.userId)) ?? missing()
    const words = fold(`${before.handle} ${change.username ?? before.username}`)
    await store.updateProfile(tx, me.userId, { ...change, words })
    if (change.is_protected !== undefined) await store.unsettle(tx, me.userId)
    await forget(ctx, tx, { person: [me.userId] })
  })
  if (change.is_protected !== undefined) await settle(ctx, me.userId)
  return ownProfile(ctx, me)
}

/**
 * Brings everything that depends on what an account is in line with it. That may be a lot, and is done in many
 * short transactions; each applies what the account is at that time, so that several runs may meet. Until all is
 * done the account is marked, and a job takes up what a crash has left.
 */
const settle = async (ctx: Publishing, id: number) => {
  const mark = await store.unsettledMark(ctx.db.sql, id)
  await settlePosts(ctx, id)
  await settleLikes(ctx, id)
  await settleFollows(ctx, id)
  await ctx.db.write((q) => store.markSettled(q, id, mark))
}

export const settleAll = async (ctx: Publishing) => {
  for (const id of await store.listUnsettled(ctx.db.sql)) await settle(ctx, id)
}

/** What an operator or an admin decides about an account. */
export const setFlags = async (ctx: Publishing, handle: string, flags: store.Flags) => {
  const { id } = await personByHandle(ctx, handle)
  const decided = await ctx.db.transaction(async (tx) => {
    const before = (await store.lockUser(tx, id)) ?? missing()
    await store.updateFlags(tx, id, flags)
    if (flags.is_suspended !== undefined) await store.unsettle(tx, id)
    await forget(ctx, tx, { person: [id] })
    return { handle: before.handle, ...flags }
  })
  if (flags.is_suspended !== undefined) await settle(ctx, id)
  return decided
}

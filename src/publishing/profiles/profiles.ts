import type { Sql } from '#platform/db/database.ts'
import { forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import { toLanguage } from '../languages.ts'
import { publicPicture, withPublicUrls } from '../picture-urls.ts'
import { toSearchText } from '../search-text.ts'
import { cleanName, isBlank } from '../visible-text.ts'
import { toWebAddress } from '../web-address.ts'
import { accounts, counters, handles } from './cache.ts'
import { notAWebAddress, type Profile, type ProfileChange } from './schema.ts'
import * as store from './store.ts'

export type { Account, Flags } from './store.ts'

const userNotFound = () => notFound('User not found')

const handlePattern = /^[A-Za-z0-9_]{3,30}$/

/** The account with this handle, suspended or not. */
export const requireUser = async (ctx: Publishing, handle: string): Promise<store.Account> => {
  if (!handlePattern.test(handle)) return userNotFound()
  const id = await handles(ctx).get(handle.toLowerCase())
  return (id === undefined ? undefined : await accounts(ctx).get(String(id))) ?? userNotFound()
}

export const requireActiveUser = async (ctx: Publishing, handle: string) => {
  const account = await requireUser(ctx, handle)
  if (account.isSuspended) forbidden('Account suspended')
  return account
}

const profileOf = (account: store.Account, counters: store.Counters): Profile => {
  const { epoch: _, isAdmin: __, isSuspended: ___, created_at, ...shown } = account
  const { follower_count, following_count, post_count } = counters
  return { ...shown, follower_count, following_count, post_count, created_at }
}

export const readProfile = async (ctx: Publishing, handle: string) => {
  const account = await requireActiveUser(ctx, handle)
  return profileOf(account, (await counters(ctx).get(String(account.id))) ?? userNotFound())
}

/** Profiles in the order of `ids`; deleted and suspended accounts are left out. */
export const readProfiles = async (ctx: Publishing, ids: readonly number[]): Promise<Profile[]> => {
  const [accountCache, counterCache] = [accounts(ctx), counters(ctx)]
  const found = await Promise.all(
    ids.map(async (id) => {
      const [account, counts] = await Promise.all([
        accountCache.get(String(id)),
        counterCache.get(String(id)),
      ])
      return account && counts && !account.isSuspended ? [profileOf(account, counts)] : []
    }),
  )
  return found.flat()
}

/** Accounts in the order of `ids`, suspended or not: for lists that only their owner sees. */
export const readAccounts = async (ctx: Publishing, ids: readonly number[]): Promise<store.Account[]> => {
  const found = await Promise.all(ids.map((id) => accounts(ctx).get(String(id))))
  return found.filter((account) => account !== undefined)
}

/** An account as this transaction sees it, past the cache. */
export const readAccountNow = async (q: Sql, id: number): Promise<store.Account | undefined> =>
  (await store.findAccounts(q, [id]))[0]

export const readOwnProfile = async ({ config, db }: Publishing, me: Principal) =>
  withPublicUrls(config.urls.publishing, (await store.findProfile(db.sql, me.userId)) ?? userNotFound())

const searchTextOf = ({ handle, username }: { handle: string; username: string }) =>
  toSearchText(`${handle} ${username}`)

/** A display name as it is stored. */
export const nameFrom = (text: string) => {
  const name = cleanName(text)
  return isBlank(name) ? invalid('username', 'must have a visible character') : name
}

/** Undefined if the handle or the email is taken. */
export const createProfile = (q: Sql, account: Omit<store.NewAccount, 'words'>) =>
  store.insertAccount(q, { ...account, words: searchTextOf(account) })

const changeable = [
  'username',
  'bio',
  'location',
  'website',
  'language',
  'avatar_url',
  'banner_url',
  'is_protected',
] as const

const asStored = (field: (typeof changeable)[number], value: string | boolean | null) => {
  if (typeof value !== 'string') return value
  if (field === 'username') return nameFrom(value)
  if (field === 'bio' || field === 'location') return value
  if (field === 'language')
    return toLanguage(value) ?? invalid(field, 'must be a language, such as de or pt-BR')
  return toWebAddress(value) ?? invalid(field, notAWebAddress)
}

/** A client that sends back the address of an uploaded picture, as its profile shows it, changes nothing. */
const keepPictures = (base: string, change: ProfileChange, current: store.LockedAccount): ProfileChange => {
  const same = (['avatar_url', 'banner_url'] as const).filter(
    (field) => change[field] && change[field] === publicPicture(base, current[field]),
  )
  return { ...change, ...Object.fromEntries(same.map((field) => [field, current[field]])) }
}

/** Marks the account for reconciliation if it becomes protected or public; `reconcile` does the rest. */
export const updateProfile = async (ctx: Publishing, id: number, input: ProfileChange) => {
  const given = changeable.flatMap((field) => {
    const value = input[field]
    return value === undefined ? [] : [[field, asStored(field, value)]]
  })
  if (given.length === 0) return
  const change = Object.fromEntries(given) as ProfileChange
  await ctx.db.transaction(async (tx) => {
    const current = (await store.lockAccount(tx, id)) ?? userNotFound()
    const words = searchTextOf({ handle: current.handle, username: change.username ?? current.username })
    await store.updateProfile(tx, id, { ...keepPictures(ctx.config.urls.publishing, change, current), words })
    if (change.is_protected !== undefined) await store.markForReconcile(tx, id)
    await invalidate(ctx, tx, { account: [id] })
  })
}

/** Marks the account for reconciliation if it is suspended or no longer; `reconcile` does the rest. */
export const updateFlags = (ctx: Publishing, id: number, flags: store.Flags) =>
  ctx.db.transaction(async (tx) => {
    const { handle } = (await store.lockAccount(tx, id)) ?? userNotFound()
    await store.updateFlags(tx, id, flags)
    if (flags.is_suspended !== undefined) await store.markForReconcile(tx, id)
    await invalidate(ctx, tx, { account: [id] })
    return { handle, ...flags }
  })

import { sameHash } from '#platform/auth/api-keys.ts'
import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import type { Key, KeyUsage } from './schema.ts'

type ActiveKey = { id: number; userId: number; dailyLimit: number }

export const findActiveKey = async (q: Sql, hash: Buffer): Promise<ActiveKey | undefined> => {
  const found = await maybeOne(q<(ActiveKey & { hash: Buffer })[]>`
    select id, user_id as "userId", daily_post_limit as "dailyLimit", hash from publishing.api_keys
    where hash = ${hash} and revoked_at is null`)
  if (!found || !sameHash(found.hash, hash)) return undefined
  return { id: found.id, userId: found.userId, dailyLimit: found.dailyLimit }
}

type NewKeyRow = {
  userId: number
  name: string
  prefix: string
  hash: Buffer
  dailyLimit: number
  now: Date
}

/** Returns its id; null if the account has `max` active keys already. */
export const createKey = (q: Sql, k: NewKeyRow, max: number) =>
  value<number | null>(q`
      select publishing.create_key(${k.userId}, ${k.name}, ${k.prefix}, ${k.hash}, ${k.dailyLimit}, ${max}, ${k.now}) as id`)

const postsToday = (q: Sql, now: Date) =>
  q`case when posts_day < (${now}::timestamptz at time zone 'UTC')::date then 0 else posts_today end`

const revokedShown = 100

/** All active keys and the newest of the revoked ones: an account may have revoked any number. */
const shownKeys = (q: Sql, userId: number) => q`
  select id from publishing.api_keys where user_id = ${userId} and revoked_at is null
  union all
  (select id from publishing.api_keys where user_id = ${userId} and revoked_at is not null
    order by id desc limit ${revokedShown})`

export const listKeys = (q: Sql, userId: number, now: Date) => q<Key[]>`
  select id, name, key_prefix, daily_post_limit, ${postsToday(q, now)} as posts_today,
    revoked_at is null as is_active, created_at, last_used_at
  from publishing.api_keys where id in (${shownKeys(q, userId)}) order by id desc`

const selectUsage = (q: Sql, now: Date, condition: Fragment) => q<KeyUsage[]>`
  select id, name, key_prefix, daily_post_limit, ${postsToday(q, now)} as posts_today,
    daily_post_limit - ${postsToday(q, now)} as "postsRemainingToday", last_used_at
  from publishing.api_keys where ${condition} order by id desc`

export const listUsage = (q: Sql, userId: number, now: Date) =>
  selectUsage(q, now, q`id in (${shownKeys(q, userId)})`)

export const findUsage = (q: Sql, userId: number, now: Date, id: number) =>
  maybeOne(selectUsage(q, now, q`user_id = ${userId} and id = ${id}`))

/** Returns the name by which it is cached. Revoking a key again does not change when it was revoked. */
export const revokeKey = async (q: Sql, userId: number, id: number, now: Date) => {
  const revoked = await maybeOne(q<{ name: string }[]>`
    update publishing.api_keys set revoked_at = coalesce(revoked_at, ${now}::timestamptz)
    where user_id = ${userId} and id = ${id}
    returning encode(hash, 'base64') as name, platform.signal('publishing.key', encode(hash, 'base64'))`)
  return revoked?.name
}

export const revokeAll = (q: Sql, userId: number, now: Date) => q<{ hash: Buffer }[]>`
  update publishing.api_keys set revoked_at = ${now} where user_id = ${userId} and revoked_at is null returning hash`

import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

/** What the guard needs to know of a key on every request. */
export type KnownKey = { id: string; userId: string; ancestorIds: readonly string[] }

export type ApiKeyRow = {
  id: string
  label: string
  key_prefix: string
  created_at: string
  parent_id: string | null
  last_used_at: string | null
}

const columns = (q: Sql) => q`id, label, key_prefix, created_at, parent_id, last_used_at`

/** A live key with its ancestors, its parent first. */
const knownKey = (q: Sql, which: Fragment) => q<(KnownKey & { hash: Buffer })[]>`
  with recursive line as (
    select id, user_id, hash, parent_id, 0 as generation from storage.api_keys where revoked_at is null and ${which}
    union all
    select k.id, k.user_id, k.hash, k.parent_id, line.generation + 1
    from line join storage.api_keys k on k.id = line.parent_id)
  select id, user_id as "userId", hash,
    array(select id from line where generation > 0 order by generation) as "ancestorIds"
  from line where generation = 0`

export const findKeyByHash = (q: Sql, hash: Buffer) => maybeOne(knownKey(q, q`hash = ${hash}`))

export const findSealedSecret = async (q: Sql, accessKey: string) =>
  maybeOne(q<{ hash: Buffer; sealed: string }[]>`
    select hash, sealed_secret as sealed from storage.api_keys where access_key = ${accessKey} and revoked_at is null`)

export const findKeyById = (q: Sql, orgId: string, id: string) =>
  maybeOne(knownKey(q, q`org_id = ${orgId} and id = ${id}`))

export const findLive = (q: Sql, orgId: string, ids: string[]) => q<{ id: string }[]>`
  select id from storage.api_keys where org_id = ${orgId} and id = any(${ids}::uuid[]) and revoked_at is null`

export const listKeys = (q: Sql, orgId: string, userId: string) => q<ApiKeyRow[]>`
  select ${columns(q)} from storage.api_keys
  where org_id = ${orgId} and user_id = ${userId} and revoked_at is null order by id desc`

export type NewKey = {
  id: string
  orgId: string
  userId: string
  parentId: string | null
  label: string
  prefix: string
  hash: Buffer
  accessKey: string
  sealedSecret: string
  now: Date
}

/** Returns nothing if its creator was removed meanwhile. */
export const insertKey = (q: Sql, k: NewKey) =>
  maybeOne(q<ApiKeyRow[]>`
    insert into storage.api_keys (id, org_id, user_id, parent_id, label, key_prefix, hash, access_key,
      sealed_secret, created_at)
    select ${k.id}, org_id, id, ${k.parentId}::uuid, ${k.label}, ${k.prefix}, ${k.hash}, ${k.accessKey},
      ${k.sealedSecret}, ${k.now}
    from storage.users where org_id = ${k.orgId} and id = ${k.userId} for key share
    returning ${columns(q)}`)

/** Locks in the order of ids, so that two nodes never wait for each other. A last use never moves back in time. */
export const saveLastUses = (q: Sql, ids: string[], times: Date[]) => q`
  with used as (select * from unnest(${ids}::uuid[], ${times.map((time) => time.toISOString())}::timestamptz[]) as u (id, at)),
    locked as (
      select k.id, used.at from storage.api_keys k join used on used.id = k.id
      where k.last_used_at is null or k.last_used_at < used.at order by k.id for no key update of k)
  update storage.api_keys k set last_used_at = locked.at from locked where k.id = locked.id`

/** Returns which of these are live, and locks them against revocation until the transaction ends. */
export const holdKeys = (q: Sql, ids: readonly string[]) => q<{ id: string }[]>`
  select id from storage.api_keys where id = any(${ids as string[]}::uuid[]) and revoked_at is null
  order by id for share`

/** Keeps others from creating keys with this one or with its descendants. */
export const lockKey = (q: Sql, orgId: string, userId: string, id: string) =>
  maybeOne(q<{ id: string }[]>`
    select id from storage.api_keys
    where org_id = ${orgId} and user_id = ${userId} and id = ${id} and revoked_at is null for no key update`)

export type RevokedKey = { id: string; hash: Buffer; accessKey: string; label: string; key_prefix: string }

/** Revokes a locked key and all its descendants. */
export const revokeWithDescendants = (q: Sql, id: string, now: Date) => q<RevokedKey[]>`
  with recursive line as (
    select org_id, user_id, id from storage.api_keys where id = ${id}
    union all
    select k.org_id, k.user_id, k.id from line join storage.api_keys k
      on k.org_id = line.org_id and k.user_id = line.user_id and k.parent_id = line.id and k.revoked_at is null),
    locked as (select id from storage.api_keys where id in (select id from line) order by id for no key update)
  update storage.api_keys k set revoked_at = ${now} from locked where k.id = locked.id and k.revoked_at is null
  returning k.id, k.hash, k.access_key as "accessKey", k.label, k.key_prefix`

/** Keeps others from creating keys with any key of a user. */
export const lockKeysOf = (q: Sql, orgId: string, userId: string) => q`
  select from storage.api_keys where org_id = ${orgId} and user_id = ${userId} and revoked_at is null
  order by id for no key update`

/** Revokes all keys of a user, which are locked. */
export const revokeKeysOf = (q: Sql, orgId: string, userId: string, now: Date) => q<RevokedKey[]>`
  update storage.api_keys set revoked_at = ${now}
  where org_id = ${orgId} and user_id = ${userId} and revoked_at is null returning id, hash, access_key as "accessKey", label, key_prefix`

import type { Sql } from '#platform/db/database.ts'
import type { KnownKey } from '../context.ts'

export type ApiKeyRow = {
  id: string
  label: string
  key_prefix: string
  created_at: string
  last_used_at: string | null
}

const columns = (q: Sql) => q`id, label, key_prefix, created_at, last_used_at`

export const findKeyByHash = async (q: Sql, hash: Buffer) =>
  (
    await q<(KnownKey & { hash: Buffer })[]>`
      select id, user_id as "userId", hash from storage.api_keys where hash = ${hash} and revoked_at is null`
  )[0]

export const findKeyById = async (q: Sql, orgId: string, id: string) =>
  (
    await q<KnownKey[]>`
      select id, user_id as "userId" from storage.api_keys
      where org_id = ${orgId} and id = ${id} and revoked_at is null`
  )[0]

export const listKeys = (q: Sql, orgId: string, userId: string) => q<ApiKeyRow[]>`
  select ${columns(q)} from storage.api_keys
  where org_id = ${orgId} and user_id = ${userId} and revoked_at is null order by id desc`

export type NewKey = {
  id: string
  orgId: string
  userId: string
  label: string
  prefix: string
  hash: Buffer
  now: Date
}

/** Nothing when its creator was removed meanwhile. */
export const insertKey = async (q: Sql, k: NewKey) =>
  (
    await q<ApiKeyRow[]>`
      insert into storage.api_keys (id, org_id, user_id, label, key_prefix, hash, created_at)
      select ${k.id}, org_id, id, ${k.label}, ${k.prefix}, ${k.hash}, ${k.now}
      from storage.users where org_id = ${k.orgId} and id = ${k.userId} for key share
      returning ${columns(q)}`
  )[0]

/** In one order, so that two nodes never wait for each other. Never back in time. */
export const saveLastUses = (q: Sql, ids: string[], times: Date[]) => q`
  with used as (select * from unnest(${ids}::uuid[], ${times.map((time) => time.toISOString())}::timestamptz[]) as u (id, at)),
    locked as (
      select k.id, used.at from storage.api_keys k join used on used.id = k.id
      where k.last_used_at is null or k.last_used_at < used.at order by k.id for no key update of k)
  update storage.api_keys k set last_used_at = locked.at from locked where k.id = locked.id`

/** The key that was revoked; none if there was no such live key. */
export const revokeKey = async (q: Sql, orgId: string, userId: string, id: string, now: Date) =>
  (
    await q<{ hash: Buffer; label: string; key_prefix: string }[]>`
      update storage.api_keys set revoked_at = ${now}
      where org_id = ${orgId} and user_id = ${userId} and id = ${id} and revoked_at is null
      returning hash, label, key_prefix`
  )[0]

export const revokeAllKeys = (q: Sql, orgId: string, userId: string, now: Date) =>
  q<{ id: string; hash: Buffer; label: string; key_prefix: string }[]>`
    update storage.api_keys set revoked_at = ${now}
    where org_id = ${orgId} and user_id = ${userId} and revoked_at is null returning id, hash, label, key_prefix`

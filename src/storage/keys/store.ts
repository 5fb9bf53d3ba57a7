import type { Sql } from '#platform/db/database.ts'
import type { KnownKey } from '../context.ts'

export type ApiKeyRow = { id: string; label: string; key_prefix: string; created_at: string }

const columns = (q: Sql) => q`id, label, key_prefix, created_at`

export const findKeyByHash = async (q: Sql, hash: Buffer) =>
  (
    await q<(KnownKey & { hash: Buffer })[]>`
      select id, user_id as "userId", hash from storage.api_keys where hash = ${hash} and revoked_at is null`
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

export const insertKey = async (q: Sql, k: NewKey): Promise<ApiKeyRow> =>
  (
    await q<ApiKeyRow[]>`
      insert into storage.api_keys (id, org_id, user_id, label, key_prefix, hash, created_at)
      values (${k.id}, ${k.orgId}, ${k.userId}, ${k.label}, ${k.prefix}, ${k.hash}, ${k.now})
      returning ${columns(q)}`
  )[0]!

/** The hash of the key that was revoked; none if there was no such live key. */
export const revokeKey = async (q: Sql, orgId: string, userId: string, id: string, now: Date) =>
  (
    await q<{ hash: Buffer }[]>`
      update storage.api_keys set revoked_at = ${now}
      where org_id = ${orgId} and user_id = ${userId} and id = ${id} and revoked_at is null returning hash`
  )[0]?.hash

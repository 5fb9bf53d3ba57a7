import type { Sql } from '#platform/db/database.ts'

export type RefreshRow = { family: string; user_id: number; used_at: string | null; expires_at: string }

export const insertRefreshToken = (
  q: Sql,
  hash: Buffer,
  family: string,
  userId: number,
  expiresAt: Date,
) => q`
  insert into publishing.refresh_tokens (hash, family, user_id, expires_at)
  values (${hash}, ${family}, ${userId}, ${expiresAt})`

export const lockRefreshToken = async (q: Sql, hash: Buffer): Promise<RefreshRow | undefined> =>
  (
    await q<RefreshRow[]>`
      select family, user_id, used_at, expires_at from publishing.refresh_tokens where hash = ${hash} for update`
  )[0]

export const markUsed = (q: Sql, hash: Buffer, now: Date) => q`
  update publishing.refresh_tokens set used_at = ${now} where hash = ${hash}`

export const deleteFamily = (q: Sql, family: string) => q`
  delete from publishing.refresh_tokens where family = ${family}`

export const deleteExpired = (q: Sql, now: Date) => q`
  delete from publishing.refresh_tokens where expires_at < ${now}`

import type { Sql } from '#platform/db/database.ts'

export type RefreshRow = {
  family: string
  userId: number
  epoch: number
  usedAt: string | null
  expiresAt: string
}

export type NewRefreshToken = { hash: Buffer; family: string; userId: number; epoch: number; expiresAt: Date }

export const insertRefreshToken = (q: Sql, { hash, family, userId, epoch, expiresAt }: NewRefreshToken) => q`
  insert into publishing.refresh_tokens (hash, family, user_id, epoch, expires_at)
  values (${hash}, ${family}, ${userId}, ${epoch}, ${expiresAt})`

/**
 * The token, once nobody else is doing anything with its family. A lock on its own row would not be enough: whoever
 * ends a family must also see the successor that is just being made of another token of it.
 */
export const lockFamilyOf = async (q: Sql, hash: Buffer): Promise<RefreshRow | undefined> => {
  await q`
    select pg_advisory_xact_lock(hashtextextended(family::text, 0)) from publishing.refresh_tokens where hash = ${hash}`
  const [row] = await q<RefreshRow[]>`
    select family, user_id as "userId", epoch, used_at as "usedAt", expires_at as "expiresAt"
    from publishing.refresh_tokens where hash = ${hash}`
  return row
}

export const markUsed = (q: Sql, hash: Buffer, now: Date) => q`
  update publishing.refresh_tokens set used_at = ${now} where hash = ${hash}`

export const deleteFamily = (q: Sql, family: string) => q`
  delete from publishing.refresh_tokens where family = ${family}`

export const deleteExpired = (q: Sql, now: Date) => q`
  delete from publishing.refresh_tokens where expires_at < ${now}`

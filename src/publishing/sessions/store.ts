import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

type RefreshRow = {
  family: string
  userId: number
  epoch: number
  usedAt: string | null
  expiresAt: string
}

type NewRefreshToken = { hash: Buffer; family: string; userId: number; epoch: number; expiresAt: Date }

export const insertRefreshToken = (q: Sql, { hash, family, userId, epoch, expiresAt }: NewRefreshToken) => q`
  insert into publishing.refresh_tokens (hash, family, user_id, epoch, expires_at)
  values (${hash}, ${family}, ${userId}, ${epoch}, ${expiresAt})`

/**
 * Finds a token and locks its family. A lock on the row would not be enough: revoking a family must also find the
 * successor that is just being issued for another of its tokens.
 */
export const lockFamilyOf = async (q: Sql, hash: Buffer): Promise<RefreshRow | undefined> => {
  await q`
    select pg_advisory_xact_lock(hashtextextended(family::text, 0)) from publishing.refresh_tokens where hash = ${hash}`
  return maybeOne(q<RefreshRow[]>`
    select family, user_id as "userId", epoch, used_at as "usedAt", expires_at as "expiresAt"
    from publishing.refresh_tokens where hash = ${hash}`)
}

export const markUsed = (q: Sql, hash: Buffer, now: Date) => q`
  update publishing.refresh_tokens set used_at = ${now} where hash = ${hash}`

export const deleteFamily = (q: Sql, family: string) => q`
  delete from publishing.refresh_tokens where family = ${family}`

export const deleteExpiredRefreshTokens = (q: Sql, now: Date) => q`
  delete from publishing.refresh_tokens where expires_at < ${now}`

import type { Sql } from '#platform/db/database.ts'

export type BrowserSession = { userId: number; epoch: number; expiresAt: string }

export const insertSession = (q: Sql, hash: Buffer, userId: number, epoch: number, expiresAt: Date) => q`
  insert into publishing.browser_sessions (hash, user_id, epoch, expires_at)
  values (${hash}, ${userId}, ${epoch}, ${expiresAt})`

export const findSession = async (q: Sql, hash: Buffer): Promise<BrowserSession | undefined> =>
  (
    await q<BrowserSession[]>`
      select user_id as "userId", epoch, expires_at as "expiresAt" from publishing.browser_sessions
      where hash = ${hash}`
  )[0]

export const deleteSession = (q: Sql, hash: Buffer) => q`
  delete from publishing.browser_sessions where hash = ${hash}`

export const deleteExpiredSessions = (q: Sql, now: Date) => q`
  delete from publishing.browser_sessions where expires_at < ${now}`

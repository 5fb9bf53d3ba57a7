import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

type BrowserSession = { userId: number; epoch: number; expiresAt: string }
type NewSession = { hash: Buffer; userId: number; epoch: number; expiresAt: Date }

export const insertSession = (q: Sql, { hash, userId, epoch, expiresAt }: NewSession) => q`
  insert into publishing.browser_sessions (hash, user_id, epoch, expires_at)
  values (${hash}, ${userId}, ${epoch}, ${expiresAt})`

export const findSession = (q: Sql, hash: Buffer) =>
  maybeOne(q<BrowserSession[]>`
    select user_id as "userId", epoch, expires_at as "expiresAt" from publishing.browser_sessions
    where hash = ${hash}`)

export const deleteSession = (q: Sql, hash: Buffer) => q`
  delete from publishing.browser_sessions where hash = ${hash}`

export const deleteExpiredBrowserSessions = (q: Sql, now: Date) => q`
  delete from publishing.browser_sessions where expires_at < ${now}`

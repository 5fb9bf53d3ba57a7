import type { ServiceName } from '#platform/config.ts'
import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

type Session = { service: ServiceName; account: string; epoch: number; expiresAt: string }
type NewSession = Omit<Session, 'expiresAt'> & { hash: Buffer; expiresAt: Date }

export const insertSession = (q: Sql, { hash, service, account, epoch, expiresAt }: NewSession) => q`
  insert into platform.console_sessions (hash, service, account, epoch, expires_at)
  values (${hash}, ${service}, ${account}, ${epoch}, ${expiresAt})`

export const findSession = (q: Sql, hash: Buffer) =>
  maybeOne(q<Session[]>`
    select service, account, epoch, expires_at as "expiresAt" from platform.console_sessions where hash = ${hash}`)

export const moveSession = (q: Sql, hash: Buffer, epoch: number) => q`
  update platform.console_sessions set epoch = ${epoch} where hash = ${hash}`

/** Which of them there are. */
export const existingSessions = (q: Sql, service: ServiceName, hashes: Buffer[]) => q<{ hash: Buffer }[]>`
  select hash from platform.console_sessions where hash = any (${hashes}) and service = ${service}`

/** Which of them there were. */
export const deleteSessions = (q: Sql, service: ServiceName, hashes: Buffer[]) => q<{ hash: Buffer }[]>`
  delete from platform.console_sessions where hash = any (${hashes}) and service = ${service} returning hash`

export const deleteExpiredSessions = (q: Sql, now: Date) => q`
  delete from platform.console_sessions where expires_at <= ${now}`

import type { ServiceName } from '#platform/config.ts'
import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

/** Replaces an earlier reset of the account. */
export const saveReset = (q: Sql, service: ServiceName, account: string, hash: Buffer, expiresAt: Date) => q`
  insert into platform.password_resets (service, account, hash, expires_at)
  values (${service}, ${account}, ${hash}, ${expiresAt})
  on conflict (service, account) do update set hash = excluded.hash, expires_at = excluded.expires_at`

export const isLiveReset = async (q: Sql, service: ServiceName, hash: Buffer, now: Date) =>
  (
    await q`
      select 1 from platform.password_resets
      where service = ${service} and hash = ${hash} and expires_at > ${now}`
  ).length > 0

/** Deletes the reset and returns its account. Of two concurrent uses one finds nothing. */
export const useReset = async (q: Sql, service: ServiceName, hash: Buffer, now: Date) =>
  (
    await maybeOne(q<{ account: string }[]>`
      delete from platform.password_resets
      where service = ${service} and hash = ${hash} and expires_at > ${now} returning account`)
  )?.account

export const deleteReset = (q: Sql, service: ServiceName, account: string) => q`
  delete from platform.password_resets where service = ${service} and account = ${account}`

export const deleteExpiredResets = (q: Sql, now: Date) => q`
  delete from platform.password_resets where expires_at <= ${now}`

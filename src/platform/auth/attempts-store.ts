import type { Sql } from '#platform/db/database.ts'
import type { Limit } from '#platform/limits/limits.ts'

/** Hashed by the database, so that its `lower` decides which spellings are one address, as it does for accounts. */
const accountOf = (q: Sql, email: string) => q`sha256(convert_to(lower(${email}::text), 'UTF8'))`

const where = (q: Sql, { name }: Limit, email: string) =>
  q`name = ${name} and account = ${accountOf(q, email)}`

/** Attempts between these times count. */
export type Span = { from: Date; to: Date }

/** Adds an attempt unless there are already `max` within the span, and returns whether it did. Atomic per account. */
export const addAttempt = async (q: Sql, limit: Limit, email: string, now: Date, { from, to }: Span) => {
  const expiresAt = new Date(now.getTime() + limit.windowSeconds * 1000)
  const counted = q`unnest(a.times) as t where t > ${from}::timestamptz and t <= ${to}::timestamptz`
  const { count } = await q`
    insert into platform.attempts as a (name, account, times, expires_at)
    values (${limit.name}, ${accountOf(q, email)}, array[${now}::timestamptz], ${expiresAt})
    on conflict (name, account) do update set expires_at = excluded.expires_at,
      times = coalesce((select array_agg(t order by t) from ${counted}), '{}') || excluded.times
    where (select count(*) from ${counted}) < ${limit.max}::int`
  return count === 1
}

export const listAttempts = async (q: Sql, limit: Limit, email: string) =>
  timesIn(
    await q<
      Found[]
    >`select array_to_json(times) as times from platform.attempts where ${where(q, limit, email)}`,
  )

/** The same, locked: no attempt is added before the transaction ends. */
export const lockAttempts = async (q: Sql, limit: Limit, email: string) =>
  timesIn(
    await q<Found[]>`
      select array_to_json(times) as times from platform.attempts where ${where(q, limit, email)} for update`,
  )

type Found = { times: string[] }
const timesIn = ([found]: Found[]) => (found?.times ?? []).map((time) => Date.parse(time))

export const deleteAttempts = (q: Sql, limit: Limit, email: string) => q`
  delete from platform.attempts where ${where(q, limit, email)}`

export const deleteExpiredAttempts = (q: Sql, now: Date) => q`
  delete from platform.attempts where expires_at <= ${now}`

import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

export const findOwnEmail = (q: Sql, userId: number, now: Date) =>
  maybeOne(q<{ email: string; unconfirmed_email: string | null }[]>`
    select u.email, c.email as unconfirmed_email
    from publishing.users u left join publishing.email_changes c on c.user_id = u.id and c.expires_at > ${now}
    where u.id = ${userId} and u.deleted_at is null`)

export const isTakenByAnother = async (q: Sql, email: string, userId: number) =>
  (await q`select 1 from publishing.users where lower(email) = lower(${email}) and id <> ${userId}`).length >
  0

/** Whether there still is such an account. */
export const setEmail = async (q: Sql, userId: number, email: string) =>
  (await q`update publishing.users set email = ${email} where id = ${userId} and deleted_at is null`)
    .count === 1

/** In place of an earlier one, whose link no longer works. */
export const saveChange = (q: Sql, userId: number, email: string, expiresAt: Date) => q`
  insert into publishing.email_changes (user_id, email, expires_at) values (${userId}, ${email}, ${expiresAt})
  on conflict (user_id) do update set email = excluded.email, hash = null, expires_at = excluded.expires_at`

/** Whether the account still wants this address. */
export const saveToken = async (q: Sql, userId: number, email: string, hash: Buffer, expiresAt: Date) =>
  (
    await q`
      update publishing.email_changes set hash = ${hash}, expires_at = ${expiresAt}
      where user_id = ${userId} and email = ${email}`
  ).count === 1

/** Of two concurrent uses one finds nothing. */
export const useChange = (q: Sql, hash: Buffer, now: Date) =>
  maybeOne(q<{ userId: number; email: string }[]>`
    delete from publishing.email_changes where hash = ${hash} and expires_at > ${now}
    returning user_id as "userId", email`)

export const forgetChange = (q: Sql, userId: number) => q`
  delete from publishing.email_changes where user_id = ${userId}`

export const deleteExpired = (q: Sql, now: Date) => q`
  delete from publishing.email_changes where expires_at <= ${now}`

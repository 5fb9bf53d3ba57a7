import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import type { Span } from './store.ts'

export const isWanted = async (q: Sql, userId: number) =>
  (await q`select from publishing.digests where user_id = ${userId}`).length > 0

/** Tells of what happens from now on. */
export const begin = (q: Sql, userId: number, dueAt: Date) => q`
  insert into publishing.digests (user_id, due_at, upto)
  select ${userId}, ${dueAt}, coalesce((select max(id) from publishing.notifications where user_id = ${userId}), 0)
  on conflict do nothing`

export const stop = (q: Sql, userId: number) => q`delete from publishing.digests where user_id = ${userId}`

export type Due = Span & { userId: number; email: string; handle: string; isSuspended: boolean }

/** Takes the next digest that is due, which is due again at `nextDue`. Nobody else gets it. */
export const takeDue = (q: Sql, now: Date, nextDue: Date) =>
  maybeOne(q<Due[]>`
    with due as materialized (
      select user_id, upto from publishing.digests where due_at <= ${now} order by due_at limit 1
      for update skip locked
    ), taken as (
      update publishing.digests d set due_at = ${nextDue}, upto = greatest(due.upto,
        (select max(id) from publishing.notifications n where n.user_id = due.user_id))
      from due where d.user_id = due.user_id returning d.user_id, due.upto as after, d.upto
    )
    select u.id as "userId", u.email, u.handle, u.is_suspended as "isSuspended", taken.after, taken.upto
    from taken join publishing.users u on u.id = taken.user_id`)

/** Puts one back that could not be sent, unless the account has changed its mind. */
export const putBack = (q: Sql, { userId, after, upto }: Due, dueAt: Date) => q`
  update publishing.digests set due_at = ${dueAt}, upto = ${after} where user_id = ${userId} and upto = ${upto}`

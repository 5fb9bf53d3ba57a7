import type { Page } from '#platform/db/counted-page.ts'
import type { Sql } from '#platform/db/database.ts'
import { one, value } from '#platform/db/rows.ts'
import { authorVisibleTo } from '../posts/visibility.ts'
import type { NotificationType } from './schema.ts'

export type NotificationRow = {
  id: number
  type: NotificationType
  actor_id: number
  post_id: number | null
  is_read: boolean
  created_at: string
}

/** Who may read a like or a follow is not limited by whether the actor is protected. */
const forAll: NotificationType[] = ['like', 'follow', 'follow_request', 'follow_accepted']

/**
 * The notifications `n` of an account that it may see now: nothing from an account that is suspended, that it mutes, or
 * where one blocks the other, and no posts that it could not read.
 */
const visible = (q: Sql, me: number) => q`
  publishing.notifications n join publishing.users a on a.id = n.actor_id
  where n.user_id = ${me} and not a.is_suspended and (n.type = any (${forAll}::text[]) or (${authorVisibleTo(q, me)}))
    and not exists (select from publishing.mutes where muter_id = ${me} and muted_id = n.actor_id)
    and not exists (select from publishing.blocks where blocker_id = ${me} and blocked_id = n.actor_id)
    and not exists (select from publishing.blocks where blocker_id = n.actor_id and blocked_id = ${me})`

export type Filter = { types: readonly NotificationType[]; unread: boolean }

const chosen = (q: Sql, { types, unread }: Filter) => q`
  n.type = any (${[...types]}::text[]) and ${unread ? q`not n.is_read` : q`true`}`

export const listNotifications = (q: Sql, me: number, filter: Filter, { limit, offset }: Page) => q<
  NotificationRow[]
>`
  select n.id, n.type, n.actor_id, n.post_id, n.is_read, n.created_at
  from ${visible(q, me)} and ${chosen(q, filter)} order by n.id desc limit ${limit} offset ${offset}`

export const countNotifications = (q: Sql, me: number, filter: Filter) =>
  one(q<{ total: number; unread: number }[]>`
    select count(*) filter (where ${chosen(q, filter)})::int as total, count(*) filter (where not n.is_read)::int as unread
    from ${visible(q, me)}`)

/** Those of an account that are unread and newer than `after`, up to `upto`. */
const unreadIn = (q: Sql, me: number, { after, upto }: Span) => q`
  ${visible(q, me)} and not n.is_read and n.id > ${after} and n.id <= ${upto}`
export type Span = { after: number; upto: number }

export const countUnreadIn = (q: Sql, me: number, span: Span) => q<
  { type: NotificationType; count: number }[]
>`
  select n.type, count(*)::int as count from ${unreadIn(q, me, span)} group by n.type`

/** The newest of these types. */
export const listUnreadIn = (
  q: Sql,
  me: number,
  span: Span,
  types: readonly NotificationType[],
  max: number,
) => q<NotificationRow[]>`
  select n.id, n.type, n.actor_id, n.post_id, n.is_read, n.created_at
  from ${unreadIn(q, me, span)} and n.type = any (${[...types]}::text[]) order by n.id desc limit ${max}`

/** Counts no further than `max`. */
export const countUnread = (q: Sql, me: number, max: number) =>
  value<number>(q`
      select count(*)::int as unread from (select from ${visible(q, me)} and not n.is_read limit ${max}) unread`)

/** Returns how many of them there are, and how many of those were unread until now. */
export const markRead = (q: Sql, me: number, ids: readonly number[]) =>
  one(q<{ found: number; marked: number }[]>`
    with found as (
      select id from publishing.notifications where user_id = ${me} and id = any (${[...ids]}::bigint[])
    ), marked as (
      update publishing.notifications n set is_read = true from found
      where n.user_id = ${me} and n.id = found.id and not n.is_read returning 1
    )
    select (select count(*)::int from found) as found, (select count(*)::int from marked) as marked`)

/** Returns how many were unread until now. */
export const markReadBefore = (q: Sql, me: number, before: number) =>
  value<number>(q`
      with marked as (
        update publishing.notifications set is_read = true
        where user_id = ${me} and id < ${before} and not is_read returning 1
      )
      select count(*)::int as marked from marked`)

/** Deletes up to `max` that have been read and are older than `before`; returns how many. */
export const deleteRead = (q: Sql, before: Date, max: number) =>
  value<number>(q`
      with old as (
        select user_id, id from publishing.notifications where is_read and created_at < ${before}
        order by created_at limit ${max} for update skip locked
      ), deleted as (
        delete from publishing.notifications n using old where n.user_id = old.user_id and n.id = old.id returning 1
      )
      select count(*)::int as deleted from deleted`)

import { InvalidInput, notFound } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { type PageQuery, sliceOf } from '../paging.ts'
import { renderPosts } from '../posts/render.ts'
import { readAccounts } from '../profiles/profiles.ts'
import {
  type Notification,
  type NotificationQuery,
  type NotificationType,
  notificationTypes,
  type ReadMark,
} from './schema.ts'
import * as store from './store.ts'

/** Notifications with who caused them and the posts they are about. What is gone in the meantime is left out. */
const render = async (
  ctx: Publishing,
  me: Principal,
  rows: readonly store.NotificationRow[],
): Promise<Notification[]> => {
  const postIds = new Set(rows.map(({ post_id }) => post_id).filter((id) => id !== null))
  const [actors, posts] = await Promise.all([
    readAccounts(ctx, [...new Set(rows.map(({ actor_id }) => actor_id))]),
    renderPosts(ctx, me, [...postIds]),
  ])
  const actorById = new Map(actors.map((account) => [account.id, account]))
  const postById = new Map(posts.map((post) => [post.id, post]))
  return rows.flatMap(({ actor_id, post_id, ...row }) => {
    const actor = actorById.get(actor_id)
    const post = post_id === null ? null : postById.get(post_id)
    if (!actor || actor.isSuspended || post === undefined) return []
    const { id, username, handle, avatar_url, is_verified } = actor
    return { ...row, actor: { id, username, handle, avatar_url, is_verified }, post }
  })
}

const typesIn = (types: string | undefined): readonly NotificationType[] =>
  types === undefined ? notificationTypes : (types.split(',') as NotificationType[])

/** What others did that concerns an account, newest first. */
export const listNotifications = async (
  ctx: Publishing,
  me: Principal,
  { types, unread = false, ...page }: PageQuery & Partial<NotificationQuery>,
) => {
  const filter = { types: typesIn(types), unread }
  const [rows, counts] = await Promise.all([
    store.listNotifications(ctx.db.sql, me.userId, filter, sliceOf(page)),
    store.countNotifications(ctx.db.sql, me.userId, filter),
  ])
  return { notifications: await render(ctx, me, rows), total: counts.total, unread: counts.unread }
}

/** What is new for an account within a span: how many of each type, and the newest of some types. */
export const readUnreadIn = async (
  ctx: Publishing,
  me: Principal,
  span: store.Span,
  { types, max }: { types: readonly NotificationType[]; max: number },
) => {
  const counts = await store.countUnreadIn(ctx.db.sql, me.userId, span)
  const newest = await render(ctx, me, await store.listUnreadIn(ctx.db.sql, me.userId, span, types, max))
  return { counts: new Map(counts.map(({ type, count }) => [type, count])), newest }
}

export const countUnread = (ctx: Publishing, { userId }: Principal, max = Number.MAX_SAFE_INTEGER) =>
  store.countUnread(ctx.db.sql, userId, max)

/** Those of these notifications that still exist are read from now on. */
export const markShown = (ctx: Publishing, { userId }: Principal, ids: readonly number[]) =>
  ctx.db.write((q) => store.markRead(q, userId, ids))

export const markReadBefore = (ctx: Publishing, { userId }: Principal, id: number) =>
  ctx.db.write((q) => store.markReadBefore(q, userId, id))

const requireOneOf = ({ ids, before, all }: ReadMark) => {
  const given = [ids, before, all].filter((each) => each !== undefined).length
  const problem = (reason: string) => {
    throw new InvalidInput([{ field: 'body', reason }])
  }
  if (given === 0) problem('must have one of ids, before and all')
  if (given > 1) problem('must have only one of ids, before and all')
}

/** Marks notifications as read. Some may have been taken back since they were listed; not finding any is an error. */
export const markRead = async (ctx: Publishing, me: Principal, mark: ReadMark) => {
  requireOneOf(mark)
  if (!mark.ids) return markReadBefore(ctx, me, mark.before ?? Number.MAX_SAFE_INTEGER)
  const { found, marked } = await markShown(ctx, me, mark.ids)
  return found > 0 ? marked : notFound('Notification not found')
}

const keptDays = 90
const batch = 1_000

/** The job: forgets what was read, after a while. */
export const forgetOldNotifications = async (ctx: Publishing) => {
  const before = new Date(ctx.clock.now().getTime() - keptDays * 86_400_000)
  while ((await ctx.db.write((q) => store.deleteRead(q, before, batch))) === batch);
}

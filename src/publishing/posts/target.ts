import type { Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'
import { forbidden } from '#platform/errors.ts'
import type { Principal } from '../context.ts'
import { postNotFound } from './refusals.ts'
import { type Target, targetQuery } from './store.ts'

export { type Target, targetQuery, visibleOriginal } from './store.ts'

/** A post that somebody wants to reply to, like, quote or repost: visible to them, and neither blocks the other. */
export const requireAllowed = <T extends Pick<Target, 'visible' | 'blocked'>>(target: T | undefined): T => {
  if (!target?.visible) return postNotFound()
  if (target.blocked) forbidden('You cannot interact with this account')
  return target
}

export const requireTarget = async (q: Sql, me: Principal, id: number) =>
  requireAllowed(await maybeOne(targetQuery(q, id, me.userId)))

/** The reply settings of the first post apply to its whole thread. */
export const requireReplyAllowed = (me: Principal, target: Target) => {
  const { reply_settings: settings, root_author_id, mentioned_in_root, followed_by_root } = target
  if (settings === 'everyone' || root_author_id === me.userId || mentioned_in_root) return
  if (settings === 'following' && followed_by_root) return
  forbidden('Its author limits who may reply')
}

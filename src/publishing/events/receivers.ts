import type { Reader, StoredEvent } from '#events/events.ts'
import type { Principal, Publishing, Viewer } from '../context.ts'
import { type Relations, relations } from '../graph/relations.ts'
import { publicTypes } from './schema.ts'
import { actsOf, authorIn, dataOf } from './stored.ts'

/** Who reads events: an account, or everybody. */
export type Listener = Reader & { viewer: Viewer }

export const everybody: Listener = { owner: 'public', types: publicTypes, viewer: null }

export const listenerFor = (me: Principal): Listener => ({
  owner: String(me.userId),
  account: String(me.userId),
  viewer: me,
})

/** Whose events an account reads: its own, and those of whom it follows and does not mute. Everybody reads all events. */
export const owners = async (ctx: Publishing, { viewer }: Listener) => {
  if (!viewer) return null
  const { authors } = await relations(ctx).get(String(viewer.userId))
  const others = [...authors].filter((id) => id !== viewer.userId)
  return [String(viewer.userId), ...others.map(actsOf)]
}

/**
 * Whether an event is for somebody. Whether they may see what it is about is decided when it is presented. For an account
 * that is known already this takes no query, because streams ask it for every event.
 */
export const mayRead = (
  ctx: Publishing,
  { viewer }: Listener,
  event: StoredEvent,
): boolean | Promise<boolean> => {
  const author = authorIn(event)
  if (!viewer) return author !== undefined
  const me = viewer.userId
  const { by = author } = dataOf(event)
  if (by === me || (author === undefined && event.owner !== String(me))) return false
  const from = author ?? by
  if (from === undefined) return true
  const decide = ({ follows, mutes, blocks }: Relations) =>
    !mutes.has(from) && !blocks.has(from) && (author === undefined || follows.has(author))
  const known = relations(ctx).get(String(me))
  return known instanceof Promise ? known.then(decide) : decide(known)
}

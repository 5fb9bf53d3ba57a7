import { forbidden } from '#platform/errors.ts'
import type { Publishing, Viewer } from './context.ts'
import type { Circle } from './graph/store.ts'
import type { Person } from './profiles/store.ts'

/**
 * Who may see what is decided here, and nowhere else. Posts of a suspended account are for nobody, those of a
 * protected one for its owner and the followers it approved. In SQL the column `audience` says the same of each
 * post; the fragment `visibleTo` of the posts' store reads it.
 */
export const maySee = (author: Person, viewer: Viewer, circle: Circle | null) => {
  if (author.isSuspended) return false
  if (!author.is_protected) return true
  return viewer?.userId === author.id || circle?.follows.has(author.id) === true
}

/** What `maySee` must know of the viewer; nothing when nobody in question is protected. */
export const circleFor = async (ctx: Publishing, viewer: Viewer, authors: readonly Person[]) =>
  viewer && authors.some(({ is_protected }) => is_protected)
    ? await ctx.memory.circles.get(String(viewer.userId))
    : null

/** For lists of one account's posts, its feed and its widget. */
export const requirePostsOf = async (ctx: Publishing, viewer: Viewer, author: Person) => {
  if (author.isSuspended) forbidden('Account suspended')
  if (!maySee(author, viewer, await circleFor(ctx, viewer, [author]))) forbidden('This account is protected')
}

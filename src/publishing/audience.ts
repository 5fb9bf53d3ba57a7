import { forbidden } from '#platform/errors.ts'
import type { Publishing, Viewer } from './context.ts'
import type { Person } from './profiles/store.ts'

/**
 * Who may see what is decided here, and nowhere else. Posts of a suspended account are for nobody, those of a
 * protected one for its owner and the followers it approved. In SQL the column `audience` says the same of each
 * post; the fragment `visibleTo` of the posts' store reads it.
 */
export const maySeePostsOf = async (ctx: Publishing, viewer: Viewer, author: Person) => {
  if (author.isSuspended) return false
  if (!author.is_protected) return true
  if (!viewer) return false
  if (viewer.userId === author.id) return true
  return (await ctx.memory.circles.get(String(viewer.userId))).follows.has(author.id)
}

/** For lists of one account's posts, its feed and its widget. */
export const requirePostsOf = async (ctx: Publishing, viewer: Viewer, author: Person) => {
  if (author.isSuspended) forbidden('Account suspended')
  if (!(await maySeePostsOf(ctx, viewer, author))) forbidden('This account is protected')
}

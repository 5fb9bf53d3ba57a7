import type { Sql } from '#platform/db/database.ts'
import { forbidden } from '#platform/errors.ts'
import type { Publishing, Viewer } from '../context.ts'
import { type Relations, relations } from '../graph/relations.ts'
import type { Account } from '../profiles/profiles.ts'

/**
 * Who may see what is decided here and nowhere else. Nobody sees the posts of a suspended account; those of a protected
 * account are for itself and the followers it accepted. In SQL, the column `audience` of each post says the same, and
 * `visibleTo` reads it.
 */
export const maySee = (author: Account, viewer: Viewer, viewerRelations: Relations | null) => {
  if (author.isSuspended) return false
  if (!author.is_protected) return true
  return viewer?.userId === author.id || viewerRelations?.follows.has(author.id) === true
}

/** What `maySee` has to know of the viewer; null if none of the authors is protected. */
export const relationsFor = async (ctx: Publishing, viewer: Viewer, authors: readonly Account[]) =>
  viewer && authors.some(({ is_protected }) => is_protected)
    ? await relations(ctx).get(String(viewer.userId))
    : null

/** For whatever shows the posts of one account: lists, feeds and widgets. */
export const requireVisiblePosts = async (ctx: Publishing, viewer: Viewer, author: Account) => {
  if (author.isSuspended) forbidden('Account suspended')
  if (!maySee(author, viewer, await relationsFor(ctx, viewer, [author])))
    forbidden('This account is protected')
}

/** The same as `maySee`, as a condition for the author `a` of a post. */
export const authorVisibleTo = (q: Sql, viewerId: number) => q`
  not a.is_suspended and (not a.is_protected or a.id = ${viewerId} or exists (
    select from publishing.follows f where f.follower_id = ${viewerId} and f.followee_id = a.id and f.is_accepted))`

/** A condition for posts `p`. */
export const visibleTo = (q: Sql, viewerId: number | null) =>
  viewerId === null
    ? q`p.audience = 'public'`
    : q`(p.audience = 'public' or (p.audience = 'followers' and (p.author_id = ${viewerId} or exists (
          select from publishing.follows f
          where f.follower_id = ${viewerId} and f.followee_id = p.author_id and f.is_accepted))))`

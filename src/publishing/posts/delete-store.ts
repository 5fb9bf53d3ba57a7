import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

/** Queries that signal the keys that the given query returns. */
type Signal = { post: (ids: Fragment) => Fragment; counters: (ids: Fragment) => Fragment }

type Deleted = { posts: number[]; authors: number[] }

/**
 * Deletes posts of one account; see `delete_posts`. Returns the posts that have changed and the accounts whose counters
 * have, or undefined if there was nothing to delete.
 */
const deletePosts = (q: Sql, ids: Fragment, now: Date, signal: Signal) =>
  maybeOne(q<Deleted[]>`
    with done as materialized (
      select posts, authors from publishing.delete_posts(array(${ids}), ${now}) where posts is not null
    ), signalled as (${signal.post(q`select unnest(posts)::text from done`)}),
      recounted as (${signal.counters(q`select unnest(authors)::text from done`)})
    select posts, authors, (select count(*) from signalled), (select count(*) from recounted) from done`)

export const deletePost = (q: Sql, authorId: number, id: number, now: Date, signal: Signal) =>
  deletePosts(q, q`select id from publishing.posts where id = ${id} and author_id = ${authorId}`, now, signal)

export const deletePostsOf = (q: Sql, authorId: number, now: Date, signal: Signal) =>
  deletePosts(
    q,
    q`select id from publishing.posts where author_id = ${authorId} and deleted_at is null`,
    now,
    signal,
  )

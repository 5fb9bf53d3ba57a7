import type { Sql } from '#platform/db/database.ts'
import { maySeePostsOf } from '../audience.ts'
import type { Publishing, Viewer } from '../context.ts'
import type { Person } from '../profiles/store.ts'
import type { EmbeddedPost, Post } from './schema.ts'
import { findMarks, type PostRow } from './store.ts'

/** A post and whoever wrote it, both from memory. */
type Known = { row: PostRow; author: Person }

const recall = async ({ memory }: Publishing, id: number): Promise<Known | null> => {
  const row = await memory.posts.get(String(id))
  const author = row && (await memory.people.get(String(row.author_id)))
  return author ? { row, author } : null
}

const embed = (ctx: Publishing, { row, author }: Known): EmbeddedPost => {
  const base = ctx.config.urls.publishing
  const { author_id: _, content_html, ...post } = row
  return {
    ...post,
    content_html: content_html.includes('href="/')
      ? content_html.replaceAll('href="/', `href="${base}/`)
      : content_html,
    url: `${base}/@${author.handle}/${row.id}`,
    author: {
      id: author.id,
      username: author.username,
      handle: author.handle,
      avatar_url: author.avatar_url,
      is_verified: author.is_verified,
    },
  }
}

const embedIfVisible = async (ctx: Publishing, viewer: Viewer, id: number | null) => {
  const known = id === null ? null : await recall(ctx, id)
  return known && (await maySeePostsOf(ctx, viewer, known.author)) ? embed(ctx, known) : null
}

const assemble = async (ctx: Publishing, viewer: Viewer, known: Known): Promise<Post> => {
  const { quote_of_id, repost_of_id } = known.row
  return {
    ...embed(ctx, known),
    quoted_post: quote_of_id === null ? null : await embedIfVisible(ctx, viewer, quote_of_id),
    reposted_post: repost_of_id === null ? null : await embedIfVisible(ctx, viewer, repost_of_id),
  }
}

/** Adds what the viewer did with each post; `q` is the transaction where there is one. */
export const marked = async (q: Sql, viewer: Viewer, posts: Post[]): Promise<Post[]> => {
  if (!viewer || posts.length === 0) return posts
  const marks = await findMarks(
    q,
    viewer.userId,
    posts.map(({ id }) => id),
  )
  const byId = new Map(marks.map(({ id, liked, reposted }) => [id, { liked, reposted }]))
  return posts.map((post) => ({ ...post, viewer: byId.get(post.id) ?? { liked: false, reposted: false } }))
}

/** These posts in this order, as the viewer may see them; what they may not see is left out. */
export const showPosts = async (ctx: Publishing, viewer: Viewer, ids: readonly number[]): Promise<Post[]> => {
  const known = await Promise.all(ids.map((id) => recall(ctx, id)))
  const shown = await Promise.all(
    known.map(async (each) =>
      each && (await maySeePostsOf(ctx, viewer, each.author)) ? [await assemble(ctx, viewer, each)] : [],
    ),
  )
  return viewer ? marked(ctx.db.sql, viewer, shown.flat()) : shown.flat()
}

/** A post that was just written, while memory must not be asked for it. */
export const showNew = async (
  ctx: Publishing,
  viewer: Viewer,
  row: PostRow,
  author: Person,
): Promise<Post> => {
  const post = await assemble(ctx, viewer, { row, author })
  return viewer && viewer.keyId === undefined
    ? { ...post, viewer: { liked: false, reposted: row.type === 'repost' } }
    : post
}

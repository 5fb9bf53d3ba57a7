import type { Sql } from '#platform/db/database.ts'
import { invalid } from '#platform/errors.ts'
import type { Principal, Publishing, Viewer } from '../context.ts'
import { dropSignalled, signalling } from '../invalidation.ts'
import { type PageQuery, sliceOf } from '../paging.ts'
import { requireActiveUser } from '../profiles/profiles.ts'
import { toSearchText } from '../search-text.ts'
import { renderPosts, renderTracked } from './render.ts'
import type { Post, PostType } from './schema.ts'
import * as store from './store.ts'
import { postNotFound } from './target.ts'
import { normalizeContent, type ParsedContent, parseContent } from './text.ts'
import { requireVisiblePosts } from './visibility.ts'

const maxEdits = 1_000

export const parseText = (content: string) => parseContent(normalizeContent(content))

/** The text as it is stored: only mentions of accounts that exist become links. */
export const resolveMentions = async (q: Sql, { content, hashtags, named, render }: ParsedContent) => {
  const mentioned = named.length > 0 ? await store.findMentioned(q, named) : []
  const handles = new Map(mentioned.map(({ handle }) => [handle.toLowerCase(), handle]))
  return {
    content,
    html: render(handles),
    hashtags,
    mentions: mentioned.map(({ handle }) => handle),
    mentionIds: mentioned.map(({ id }) => id),
  }
}

/** What a text will look like as a post. */
export const renderText = async (ctx: Publishing, content: string) =>
  (await resolveMentions(ctx.db.sql, parseText(content))).html

export const readPost = async (ctx: Publishing, viewer: Viewer, id: number): Promise<Post> =>
  (await renderPosts(ctx, viewer, [id]))[0] ?? postNotFound()

/** A post as strangers see it, and what that depends on. */
export const readPublicPost = async (ctx: Publishing, id: number) => {
  const { posts, shown } = await renderTracked(ctx, null, [id])
  return { post: posts[0] ?? postNotFound(), shown }
}

export const editPost = async (ctx: Publishing, me: Principal, id: number, content: string) => {
  const text = await resolveMentions(ctx.db.sql, parseText(content))
  const edit = { ...text, words: toSearchText(text.content), maxEdits, now: ctx.clock.now() }
  const outcome = await ctx.db.write((q) =>
    store.editPost(q, me.userId, id, edit, (ids) => signalling(ctx, q, 'post', ids)),
  )
  if (outcome === 'gone') postNotFound()
  if (outcome === 'repost') invalid('content', 'cannot be changed: a repost has no text of its own')
  if (outcome === 'edits')
    invalid('content', `cannot be changed: a post can be edited at most ${maxEdits} times`)
  if (outcome === 'changed') dropSignalled(ctx, { post: [id] })
  return readPost(ctx, me, id)
}

/** All texts that a post has had, the current one included. */
export const readHistory = async (
  ctx: Publishing,
  viewer: Viewer,
  id: number,
  { newestFirst = false, ...page }: PageQuery & { newestFirst?: boolean },
) => {
  await readPost(ctx, viewer, id)
  const [history, earlier] = await Promise.all([
    store.listVersions(ctx.db.sql, id, { ...sliceOf(page), newestFirst }),
    store.countVersions(ctx.db.sql, id),
  ])
  return { history, total: earlier + 1 }
}

/** The posts of an account, newest first: all of them, or those of one type. */
export const listPostsOf = async (
  ctx: Publishing,
  viewer: Viewer,
  handle: string,
  { type, ...page }: PageQuery & { type?: PostType },
) => {
  const author = await requireActiveUser(ctx, handle)
  await requireVisiblePosts(ctx, viewer, author)
  const { ids, total } = await (type === undefined
    ? store.listPosts(ctx.db.sql, author.id, sliceOf(page))
    : store.listPostsOfType(ctx.db.sql, author.id, type, sliceOf(page)))
  return { posts: await renderPosts(ctx, viewer, ids), total }
}

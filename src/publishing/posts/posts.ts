import type { Sql, Tx } from '#platform/db/database.ts'
import { forbidden, InvalidInput } from '#platform/errors.ts'
import type { Principal, Publishing, Viewer } from '../context.ts'
import { changed, changedSoon } from '../invalidation.ts'
import { type PageQuery, sliceOf } from '../paging.ts'
import { requireActiveUser } from '../profiles/profiles.ts'
import { toSearchText } from '../search-text.ts'
import * as reconcile from './reconcile-store.ts'
import { burst, burstHeaders, maxEdits, postNotFound, postRefusals } from './refusals.ts'
import { renderNew, renderPosts, renderTracked } from './render.ts'
import type { NewPost, Post, PostType } from './schema.ts'
import * as store from './store.ts'
import { requireAllowed, requireReplyAllowed, requireTarget } from './target.ts'
import { normalizeContent, type ParsedContent, parseContent } from './text.ts'
import { requireVisiblePosts } from './visibility.ts'
import { writePost } from './write.ts'

const parseText = (content: string) => parseContent(normalizeContent(content))

/** The text as it is stored: only mentions of accounts that exist become links. */
const resolveMentions = async (q: Sql, { content, hashtags, named, render }: ParsedContent) => {
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

const readInput = ({ type = 'post', parentId = null, quoteOfId = null, ...input }: NewPost) => {
  const problems = []
  if (type === 'reply' && parentId === null) problems.push({ field: 'parentId', reason: 'is required' })
  if (type === 'quote' && quoteOfId === null) problems.push({ field: 'quoteOfId', reason: 'is required' })
  if (problems.length > 0) throw new InvalidInput(problems)
  const targetId = type === 'reply' ? parentId : type === 'quote' ? quoteOfId : null
  return { type, targetId, replySettings: input.replySettings ?? 'everyone', text: parseText(input.content) }
}

/** The new post, and headers that say what is left of the burst limit. */
export const createPost = async (
  ctx: Publishing,
  me: Principal,
  input: NewPost,
): Promise<{ post: Post; headers: Record<string, string> }> => {
  const { type, targetId, replySettings, text } = readInput(input)
  const target = targetId === null ? null : await requireTarget(ctx.db.sql, me, targetId)
  if (target && type === 'reply') requireReplyAllowed(me, target)
  const { content, html, hashtags, mentions, mentionIds } = await resolveMentions(ctx.db.sql, text)
  const written = {
    author_id: me.userId,
    type,
    content,
    content_html: html,
    parent_id: type === 'reply' ? target!.id : null,
    root_id: type === 'reply' ? target!.root_id : null,
    quote_of_id: type === 'quote' ? target!.id : null,
    reply_settings: replySettings,
    hashtags,
    mentions,
    mention_ids: mentionIds,
  }
  const now = ctx.clock.now()
  const limit = ctx.config.rateLimits ? burst : null
  const words = toSearchText(content)
  const created = await writePost(ctx, { ...written, key_id: me.keyId ?? null, words, burst: limit, now })
  if (created.refusal !== null) {
    const { refusal, free_at: freeAt, recent } = created
    return postRefusals[refusal]({ freeAt, recent, dailyLimit: me.dailyLimit ?? 0, now })
  }
  changedSoon(ctx, { counters: [me.userId], post: target ? [target.id] : [] })
  const row = {
    id: created.post_id,
    ...written,
    repost_of_id: null,
    ...store.untouched,
    created_at: now.toISOString(),
  }
  return { post: await renderNew(ctx, me, row), headers: burstHeaders(created.recent, now) }
}

export const editPost = async (ctx: Publishing, me: Principal, id: number, content: string) => {
  const text = await resolveMentions(ctx.db.sql, parseText(content))
  const edit = { ...text, words: toSearchText(text.content), maxEdits, now: ctx.clock.now() }
  const outcome = await ctx.db.write((q) => store.editPost(q, me.userId, id, edit))
  if (outcome === 'changed') changed(ctx, { post: [id] })
  else if (outcome !== 'unchanged') return postRefusals[outcome]()
  return readPost(ctx, me, id)
}

/** Deletes a post for good, with its text, history, likes and reposts; replies and quotes stay. */
export const deletePost = async (ctx: Publishing, me: Principal, id: number) => {
  const deleted = await ctx.db.write((q) => store.deletePost(q, me.userId, id, ctx.clock.now()))
  const { posts, authors } = deleted ?? postNotFound()
  changed(ctx, { post: posts, counters: authors })
}

/** Deletes all posts of an account in the same way. */
export const deletePostsOf = async (ctx: Publishing, tx: Tx, authorId: number) => {
  const deleted = await store.deletePostsOf(tx, authorId, ctx.clock.now())
  if (deleted) changed(ctx, { post: deleted.posts, counters: deleted.authors })
}

/** Reposts a post, once: `created` is false if it was reposted before. */
export const repost = async (ctx: Publishing, me: Principal, requested: number) => {
  const now = ctx.clock.now()
  const found = await ctx.db.write((q) => store.repost(q, requested, me.userId, now))
  const { id: originalId, audience, reposted } = requireAllowed(found)
  if (audience !== 'public') forbidden('Posts of a protected account cannot be reposted')
  if (!reposted) return postNotFound()
  if (reposted.refusal) return postRefusals[reposted.refusal]()
  const { id, created } = reposted
  if (!created) return { post: await readPost(ctx, me, id), created }
  changedSoon(ctx, { post: [originalId], counters: [me.userId] })
  const [row] = await store.findPosts(ctx.db.sql, [id])
  return { post: row ? await renderNew(ctx, me, row) : postNotFound(), created }
}

export const unrepost = async (ctx: Publishing, me: Principal, id: number) => {
  const found = await ctx.db.write((q) => store.unrepost(q, id, me.userId, ctx.clock.now()))
  const { original, repost } = found ?? postNotFound()
  if (repost !== null) {
    changed(ctx, { post: [original, repost] })
    changedSoon(ctx, { counters: [me.userId] })
  }
  const { repost_count } = await readPost(ctx, me, original)
  return { reposted: false, repost_count }
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

/** The posts whose audience does not match whether their author is public, protected or suspended. */
export const findMismatchedPosts = (ctx: Publishing, authorId: number) =>
  reconcile.findMismatchedPosts(ctx.db.sql, authorId)

export const reconcilePosts = (ctx: Publishing, authorId: number, postIds: number[]) =>
  ctx.db.transaction(async (tx) => {
    await reconcile.lockWithOriginals(tx, postIds)
    const audience = await reconcile.lockAudience(tx, authorId)
    if (!audience) return
    const { changed, recounted } = await reconcile.updateAudience(tx, authorId, postIds, audience)
    const ids = changed.map(({ id }) => id)
    await store.unindexPosts(tx, ids)
    if (audience === 'public') {
      const texts = changed.map(({ content }) => toSearchText(content))
      await store.indexPosts(tx, ids, texts)
    }
    changedSoon(ctx, { post: recounted })
  })

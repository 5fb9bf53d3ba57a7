import type { Sql } from '#platform/db/database.ts'
import {
  forbidden,
  InvalidInput,
  invalid,
  notFound,
  tooManyRequests,
  unauthorized,
} from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { requirePostsOf } from '../audience.ts'
import type { Principal, Publishing, Viewer } from '../context.ts'
import { forget, forgetSoon } from '../memory.ts'
import { readPage } from '../numbered.ts'
import { offsetOf, type PageQuery } from '../paging.ts'
import { reachable } from '../profiles/profiles.ts'
import { fold } from '../words.ts'
import { removePosts } from './removal.ts'
import type { NewPost, Post, PostType } from './schema.ts'
import * as store from './store.ts'
import { normalizeContent, type ParsedContent, parseContent } from './text.ts'
import { drawPosts, showNew, showPosts } from './views.ts'

const burst = 30
const maxEdits = 1_000
const missing = () => notFound('Post not found')

/** A post somebody wants to answer, like, quote or repost: there, visible to them, and nobody blocks the other. */
export const findTarget = async (q: Sql, me: Principal, id: number) => {
  const target = await store.findTarget(q, id, me.userId)
  if (!target?.visible) return missing()
  if (target.blocked) forbidden('You cannot interact with this account')
  return target
}

/** The settings of the first post rule its whole thread. */
const requireReplyAllowed = (me: Principal, target: store.Target) => {
  const { reply_settings: settings, root_author_id, mentioned_in_root, followed_by_root } = target
  if (settings === 'everyone' || root_author_id === me.userId || mentioned_in_root) return
  if (settings === 'following' && followed_by_root) return
  forbidden('Its author limits who may reply')
}

const readInput = (input: NewPost) => {
  const { type = 'post', parentId = null, quoteOfId = null, replySettings = 'everyone' } = input
  const problems = []
  if (type === 'reply' && parentId === null) problems.push({ field: 'parentId', reason: 'is required' })
  if (type === 'quote' && quoteOfId === null) problems.push({ field: 'quoteOfId', reason: 'is required' })
  if (problems.length > 0) throw new InvalidInput(problems)
  const targetId = type === 'reply' ? parentId : type === 'quote' ? quoteOfId : null
  return { type, targetId, replySettings, parsed: parseContent(normalizeContent(input.content)) }
}

const toText = async (q: Sql, { content, hashtags, named, render }: ParsedContent) => {
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

/** How much of the burst is left: what was posted in the last minute is free again a minute later. */
const burstHeaders = (recent: readonly string[] | null, now: Date): Record<string, string> => {
  const newest = recent?.at(-1)
  if (!recent || newest === undefined) return {}
  return {
    'ratelimit-limit': String(burst),
    'ratelimit-remaining': String(Math.max(0, burst - recent.length)),
    'ratelimit-reset': String(Math.min(60, Math.ceil((Date.parse(newest) - now.getTime()) / 1000 + 60))),
  }
}

/** A daily limit that is used up; at midnight all of it is free again. */
const dayHeaders = (limit: number, wait: number) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': '0',
  'ratelimit-reset': String(wait),
})

const refuse = ({ refusal, free_at, recent_posts }: store.Created, limit: number, now: Date): never => {
  const tooMany = (message: string): never => {
    const wait = Math.max(1, Math.ceil((Date.parse(free_at!) - now.getTime()) / 1000))
    const about = refusal === 'quota' ? dayHeaders(limit, wait) : burstHeaders(recent_posts, now)
    return tooManyRequests(message, { headers: { ...about, 'retry-after': String(wait) } })
  }
  switch (refusal) {
    case 'gone':
      return missing()
    case 'burst':
      return tooMany(`Too many posts: at most ${burst} in 60 seconds`)
    case 'quota':
      return tooMany(
        `Daily limit of ${limit} ${limit === 1 ? 'post' : 'posts'} reached; it resets at midnight UTC`,
      )
    case 'revoked':
      return unauthorized('Invalid API key')
    default:
      return forbidden('Account suspended')
  }
}

/** Posts of many accounts at once; every one is written before it is answered. */
export const openPosting = ({ db, clock, config }: Platform): Publishing['post'] =>
  db.batchWrites({
    exclusiveBy: (post: store.NewPostRow) => post.author_id,
    async run(q, posts) {
      const now = clock.now()
      const created = await store.createPosts(q, posts, now, config.rateLimits ? burst : null)
      return created.map((one) => ({ ...one, now }))
    },
  })

export const createPost = async (
  ctx: Publishing,
  me: Principal,
  input: NewPost,
): Promise<{ post: Post; headers: Record<string, string> }> => {
  const { type, targetId, replySettings, parsed } = readInput(input)
  const target = targetId === null ? null : await findTarget(ctx.db.sql, me, targetId)
  if (target && type === 'reply') requireReplyAllowed(me, target)
  const text = await toText(ctx.db.sql, parsed)
  const written = {
    author_id: me.userId,
    type,
    content: text.content,
    content_html: text.html,
    parent_id: type === 'reply' ? target!.id : null,
    root_id: type === 'reply' ? target!.root_id : null,
    quote_of_id: type === 'quote' ? target!.id : null,
    reply_settings: replySettings,
    hashtags: text.hashtags,
    mentions: text.mentions,
    mention_ids: text.mentionIds,
  }
  const { now, ...created } = await ctx.post({
    ...written,
    key_id: me.keyId ?? null,
    words: fold(text.content),
  })
  if (created.post_id === null) return refuse(created, me.dailyLimit ?? 0, now)
  forgetSoon(ctx, { tallies: [me.userId], post: target ? [target.id] : [] })
  const row: store.PostRow = {
    id: created.post_id,
    ...written,
    repost_of_id: null,
    like_count: 0,
    repost_count: 0,
    quote_count: 0,
    reply_count: 0,
    created_at: now.toISOString(),
    edited_at: null,
  }
  const headers = ctx.config.rateLimits ? burstHeaders(created.recent_posts, now) : {}
  return { post: await showNew(ctx, me, row), headers }
}

export const readPost = async (ctx: Publishing, viewer: Viewer, id: number): Promise<Post> =>
  (await showPosts(ctx, viewer, [id]))[0] ?? missing()

/** The same for strangers, and what it depends on. */
export const drawPost = async (ctx: Publishing, id: number) => {
  const { posts, shown } = await drawPosts(ctx, null, [id])
  return { post: posts[0] ?? missing(), shown }
}

const lockOwn = async (q: Sql, me: Principal, id: number) => {
  const post = (await store.lockPost(q, id)) ?? missing()
  return post.author_id === me.userId ? post : missing()
}

export const editPost = async (ctx: Publishing, me: Principal, id: number, content: string) => {
  const parsed = parseContent(normalizeContent(content))
  await ctx.db.transaction(async (tx) => {
    const post = await lockOwn(tx, me, id)
    if (post.type === 'repost') invalid('content', 'cannot be changed: a repost has no text of its own')
    if (post.content === parsed.content) return
    if ((await store.countVersions(tx, id)) >= maxEdits)
      invalid('content', `cannot be changed: a post can be edited at most ${maxEdits} times`)
    await store.keepVersion(tx, id)
    await store.withdrawTerms(tx, [id])
    await store.updateText(tx, id, await toText(tx, parsed), ctx.clock.now())
    await store.touchFeed(tx, me.userId)
    if (post.audience === 'public') await store.publishTerms(tx, [id], [fold(parsed.content)])
    await forget(ctx, tx, { post: [id] })
  })
  return readPost(ctx, me, id)
}

/** What a post said, the present text included. */
export const readHistory = async (
  ctx: Publishing,
  viewer: Viewer,
  id: number,
  page: PageQuery,
  order: 'oldest first' | 'newest first' = 'oldest first',
) => {
  await readPost(ctx, viewer, id)
  const [history, earlier] = await Promise.all([
    store.listVersions(ctx.db.sql, id, order === 'newest first', page.limit, offsetOf(page)),
    store.countVersions(ctx.db.sql, id),
  ])
  return { history, total: earlier + 1 }
}

export const deletePost = (ctx: Publishing, me: Principal, id: number) =>
  ctx.db.transaction(async (tx) => {
    const [post] = await store.findPosts(tx, [id])
    if (post?.author_id !== me.userId || !(await removePosts(ctx, tx, [id]))) missing()
  })

/** An account's posts, newest first: all of them, or only those of a type. */
export const listPostsOf = async (
  ctx: Publishing,
  viewer: Viewer,
  handle: string,
  page: PageQuery,
  type?: PostType,
) => {
  const person = await reachable(ctx, handle)
  await requirePostsOf(ctx, viewer, person)
  const { ids, total } = await (type === undefined
    ? readPage(ctx, { name: 'posts', owner: person.id }, page)
    : store.listByType(ctx.db.sql, person.id, type, page.limit, offsetOf(page)))
  return { posts: await showPosts(ctx, viewer, ids), total }
}

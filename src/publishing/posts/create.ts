import { forbidden, InvalidInput, tooManyRequests, unauthorized } from '#platform/errors.ts'
import { rateLimitHeaders } from '#platform/limits/limits.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidateSoon } from '../invalidation.ts'
import { toSearchText } from '../search-text.ts'
import * as store from './create-store.ts'
import { parseText, resolveMentions } from './posts.ts'
import { newRow, renderNew } from './render.ts'
import type { NewPost, Post } from './schema.ts'
import { postNotFound, requireReplyAllowed, requireTarget } from './target.ts'

/** How many posts an account may publish within a minute. */
const burst = 30

/** Writes the posts that are published at the same moment with one statement. */
const writer = moduleState((platform: Platform) =>
  platform.db.batchWrites({
    exclusiveBy: ({ row }: { row: store.NewPostRow; now: Date }) => row.author_id,
    mayShare: (first, later) => store.mayShareStatement(first.row, later.row),
    async run(q, items) {
      const now = new Date(Math.max(...items.map((item) => item.now.getTime())))
      const rows = items.map(({ row }) => row)
      const created = await store.createPosts(q, rows, now, platform.config.rateLimits ? burst : null)
      const accepted = rows.filter((_, n) => created[n]!.post_id !== null)
      invalidateSoon(platform, {
        counters: accepted.map(({ author_id }) => author_id),
        post: accepted.map(store.targetOf).filter((id) => id !== null),
      })
      return created.map((result) => ({ ...result, now }))
    },
  }),
)

const readInput = (input: NewPost) => {
  const { type = 'post', parentId = null, quoteOfId = null, replySettings = 'everyone' } = input
  const problems = []
  if (type === 'reply' && parentId === null) problems.push({ field: 'parentId', reason: 'is required' })
  if (type === 'quote' && quoteOfId === null) problems.push({ field: 'quoteOfId', reason: 'is required' })
  if (problems.length > 0) throw new InvalidInput(problems)
  const targetId = type === 'reply' ? parentId : type === 'quote' ? quoteOfId : null
  return { type, targetId, replySettings, parsed: parseText(input.content) }
}

/** What is left of the burst limit: a post from the last minute counts for a minute. */
const burstHeaders = (recent: readonly string[], now: Date, wait = 0): Record<string, string> => {
  const newest = recent.at(-1)
  if (newest === undefined) return {}
  return rateLimitHeaders(
    { name: 'publishing.posts', windowSeconds: 60 },
    {
      allowed: wait === 0,
      limit: burst,
      remaining: Math.max(0, burst - recent.length),
      resetSeconds: Math.min(60, Math.ceil((Date.parse(newest) - now.getTime()) / 1000 + 60)),
      retryAfterSeconds: wait,
    },
  )
}

/** The daily limit of an API key is used up until midnight. */
const dayHeaders = (limit: number, wait: number) =>
  rateLimitHeaders(
    { name: 'publishing.posts-of-key', windowSeconds: 24 * 3600 },
    { allowed: false, limit, remaining: 0, resetSeconds: wait, retryAfterSeconds: wait },
  )

const refuse = ({ refusal, free_at, recent_posts }: store.Created, limit: number, now: Date): never => {
  const tooMany = (message: string): never => {
    const wait = Math.max(1, Math.ceil((Date.parse(free_at!) - now.getTime()) / 1000))
    const headers = refusal === 'quota' ? dayHeaders(limit, wait) : burstHeaders(recent_posts, now, wait)
    return tooManyRequests(message, { headers: { ...headers, 'retry-after': String(wait) } })
  }
  switch (refusal) {
    case 'gone':
      return postNotFound()
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

export const createPost = async (
  ctx: Publishing,
  me: Principal,
  input: NewPost,
): Promise<{ post: Post; headers: Record<string, string> }> => {
  const { type, targetId, replySettings, parsed } = readInput(input)
  const target = targetId === null ? null : await requireTarget(ctx.db.sql, me, targetId)
  if (target && type === 'reply') requireReplyAllowed(me, target)
  const text = await resolveMentions(ctx.db.sql, parsed)
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
  const row = { ...written, key_id: me.keyId ?? null, words: toSearchText(text.content) }
  const created = await writer(ctx)({ row, now: ctx.clock.now() })
  const { now } = created
  if (created.post_id === null) return refuse(created, me.dailyLimit ?? 0, now)
  const headers = ctx.config.rateLimits ? burstHeaders(created.recent_posts, now) : {}
  const post = await renderNew(ctx, me, newRow({ id: created.post_id, ...written }, now))
  return { post, headers }
}

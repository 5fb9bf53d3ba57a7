import { notFound } from '#platform/errors.ts'
import type { Publishing, Viewer } from '../context.ts'
import { renderTracked } from '../posts/render.ts'
import type { PostType } from '../posts/schema.ts'
import { parseTag } from '../posts/text.ts'
import { requireVisiblePosts } from '../posts/visibility.ts'
import { requireActiveUser } from '../profiles/profiles.ts'
import { type CachedResponse, cachedResponse, etagOf } from '../responses/cached-response.ts'
import { readTagTimeline } from '../timelines/timelines.ts'
import { type Feed, itemOf, legalPath, nameOf, newest, secureUrl } from './feed.ts'
import { type Format, formats } from './formats.ts'
import { listForFeed } from './store.ts'

export type FeedQuery = { handle: string; count: number; include?: string }

/** Posts and quotes, and what else was requested. */
const typesOf = (include = ''): PostType[] => [
  'post',
  'quote',
  ...(include.includes('replies') ? (['reply'] as const) : []),
  ...(include.includes('reposts') ? (['repost'] as const) : []),
]

/** Where a feed was requested, and how its response may be cached. */
export type FeedRequest = { route: string; format: Format; path: string; shared: Record<string, string> }

const responseOf = (
  { route, format, shared }: FeedRequest,
  feed: Feed,
  { modified, isDated }: { modified: Date | null; isDated: boolean },
): CachedResponse => {
  const body = formats[format].write(feed)
  const version = { etag: etagOf(body), lastModified: modified?.toUTCString() ?? null, isDated }
  return cachedResponse(body, { route, type: `${formats[format].type}; charset=utf-8`, version, shared })
}

/** The newest posts of an account for readers elsewhere, and what they depend on. */
export const newestOf = async (
  ctx: Publishing,
  viewer: Viewer,
  handle: string,
  { types, count }: { types: readonly PostType[]; count: number },
) => {
  const account = await requireActiveUser(ctx, handle)
  await requireVisiblePosts(ctx, viewer, account)
  const listed = (await listForFeed(ctx.db.sql, account.id, types, count)) ?? notFound('User not found')
  const { posts: found, shown } = await renderTracked(ctx, viewer, listed.ids)
  const posts = found.filter(({ type, reposted_post }) => type !== 'repost' || reposted_post !== null)
  return {
    account,
    posts,
    // A new post changes the counters of its author.
    shown: { ...shown, accounts: [account.id, ...shown.accounts], counters: [account.id] },
    changedAt: new Date(listed.changed_at),
    showsOthers: listed.others.length > 0,
  }
}

/** The feed of an account. */
export const profileFeed = async (
  ctx: Publishing,
  viewer: Viewer,
  { handle, count, include }: FeedQuery,
  request: FeedRequest,
) => {
  const base = ctx.config.urls.publishing
  const found = await newestOf(ctx, viewer, handle, { types: typesOf(include), count })
  const { account, posts, shown, changedAt, showsOthers } = found
  const changed = newest(posts, changedAt)
  // Several changes within one second have different dates, the later ones in the future (see `touch_feed`). No date in a
  // response may lie in the future: until then only the ETag tells versions apart, and the feed is dated by its posts.
  const now = ctx.clock.now()
  const isAhead = changed > now
  const feed = {
    title: nameOf(account),
    description: account.bio?.trim() || `Posts by ${nameOf(account)}`,
    home: `${base}/@${account.handle}`,
    self: base + legalPath(request.path),
    icon: secureUrl(account.avatar_url),
    author: { name: nameOf(account), url: `${base}/@${account.handle}` },
    updated: isAhead ? newest(posts, startOfDay(now)) : changed,
    items: posts.map(itemOf(base)),
  }
  const version = { modified: isAhead ? now : changed, isDated: !showsOthers && !isAhead }
  return { value: responseOf(request, feed, version), shown }
}

// The formats require a date even if there are no posts.
const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)

/** The feed of a hashtag. It has no date: the deletion of a post would not change it. */
export const tagFeed = async (ctx: Publishing, text: string, count: number, request: FeedRequest) => {
  const base = ctx.config.urls.publishing
  const tag = parseTag(text)
  const { posts } = await readTagTimeline(ctx, null, tag, { limit: count })
  const feed = {
    title: `#${tag}`,
    description: `Posts tagged #${tag}`,
    home: `${base}/tags/${encodeURIComponent(tag)}`,
    self: base + legalPath(request.path),
    icon: null,
    author: null,
    updated: newest(posts, posts.length > 0 ? new Date(0) : startOfDay(ctx.clock.now())),
    items: posts.map(itemOf(base)),
  }
  return { value: responseOf(request, feed, { modified: null, isDated: false }), shown: 'anything' as const }
}

import { notFound } from '#platform/errors.ts'
import { requirePostsOf } from '../audience.ts'
import type { Publishing, Viewer } from '../context.ts'
import type { PostType } from '../posts/schema.ts'
import { tagOf } from '../posts/text.ts'
import { drawPosts } from '../posts/views.ts'
import { reachable } from '../profiles/profiles.ts'
import { type CachedResponse, cachedResponse, etagOf } from '../responses/cached-response.ts'
import { readTagTimeline } from '../timelines/timelines.ts'
import { type Feed, itemOf, legalPath, nameOf, newest, secureUrl } from './feed.ts'
import { type Format, formats } from './formats.ts'
import { listForFeed } from './store.ts'

export type FeedQuery = { count: number; include?: string }

/** Posts and quotes, and what else was asked for. */
const typesOf = (include = ''): PostType[] => [
  'post',
  'quote',
  ...(include.includes('replies') ? (['reply'] as const) : []),
  ...(include.includes('reposts') ? (['repost'] as const) : []),
]

/** Where a feed was asked for, and how its answer may be kept. */
export type Asked = { route: string; format: Format; path: string; shared: Record<string, string> }

const answer = (
  { route, format, shared }: Asked,
  feed: Feed,
  modified: Date | null,
  isDated = false,
): CachedResponse => {
  const body = formats[format].write(feed)
  const version = { etag: etagOf(body), lastModified: modified?.toUTCString() ?? null, isDated }
  return cachedResponse(body, { route, type: `${formats[format].type}; charset=utf-8`, version, shared })
}

/** The newest posts of an account that readers elsewhere see, and what they are drawn from. */
export const newestOf = async (
  ctx: Publishing,
  viewer: Viewer,
  handle: string,
  types: readonly PostType[],
  count: number,
) => {
  const person = await reachable(ctx, handle)
  await requirePostsOf(ctx, viewer, person)
  const listed = (await listForFeed(ctx.db.sql, person.id, types, count)) ?? notFound('User not found')
  const { posts: found, shown } = await drawPosts(ctx, viewer, listed.ids)
  const posts = found.filter(({ type, reposted_post }) => type !== 'repost' || reposted_post !== null)
  return {
    person,
    posts,
    // The count of posts changes with each of them, and so tells of new ones.
    shown: { ...shown, people: [person.id, ...shown.people], tallies: [person.id] },
    changedAt: new Date(listed.changed_at),
    showsOthers: listed.others.length > 0,
  }
}

/** The feed of an account. */
export const profileFeed = async (
  ctx: Publishing,
  viewer: Viewer,
  handle: string,
  { count, include }: FeedQuery,
  asked: Asked,
) => {
  const base = ctx.config.urls.publishing
  const found = await newestOf(ctx, viewer, handle, typesOf(include), count)
  const { person, posts, shown, changedAt, showsOthers } = found
  const changed = newest(posts, changedAt)
  // Changes within one second have dates of their own, the later ones in the future, where no date may be. Until it
  // has come the tag alone tells them apart, and what the feed says of itself is as old as its newest post.
  const now = ctx.clock.now()
  const isAhead = changed > now
  const updated = isAhead ? newest(posts, startOfDay(now)) : changed
  const feed = {
    title: nameOf(person),
    description: person.bio?.trim() || `Posts by ${nameOf(person)}`,
    home: `${base}/@${person.handle}`,
    self: base + legalPath(asked.path),
    icon: secureUrl(person.avatar_url),
    author: { name: nameOf(person), url: `${base}/@${person.handle}` },
    updated,
    items: posts.map(itemOf(base)),
  }
  return { value: answer(asked, feed, isAhead ? now : changed, !showsOthers && !isAhead), shown }
}

// Formats ask for a date also where nothing ever happened.
const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)

/** The feed of a hashtag. It has no date of its own: a post that is deleted leaves none behind. */
export const tagFeed = async (ctx: Publishing, text: string, count: number, asked: Asked) => {
  const base = ctx.config.urls.publishing
  const tag = tagOf(text.replace(/^#/, ''))
  const { posts } = await readTagTimeline(ctx, null, tag, { limit: count })
  const feed = {
    title: `#${tag}`,
    description: `Posts tagged #${tag}`,
    home: `${base}/tags/${encodeURIComponent(tag)}`,
    self: base + legalPath(asked.path),
    icon: null,
    author: null,
    updated: newest(posts, posts.length > 0 ? new Date(0) : startOfDay(ctx.clock.now())),
    items: posts.map(itemOf(base)),
  }
  return { value: answer(asked, feed, null), shown: 'anything' as const }
}

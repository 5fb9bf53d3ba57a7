import { notFound } from '#platform/errors.ts'
import { requirePostsOf } from '../audience.ts'
import type { Ready } from '../conditional.ts'
import type { Publishing, Viewer } from '../context.ts'
import { etagOf, type Shown } from '../drawn.ts'
import type { Post, PostType } from '../posts/schema.ts'
import { tagOf } from '../posts/text.ts'
import { showPosts } from '../posts/views.ts'
import { reachable } from '../profiles/profiles.ts'
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

const answer = (format: Format, feed: Feed, modified: Date | null, isDated = false): Ready => {
  const body = Buffer.from(formats[format].write(feed))
  return {
    body,
    type: `${formats[format].type}; charset=utf-8`,
    etag: etagOf(body),
    modified: modified?.toUTCString() ?? null,
    isDated,
  }
}

/** Everybody and everything that these posts show. */
const shownBy = (people: readonly number[], posts: readonly Post[]): Shown => ({
  people,
  posts: posts.flatMap((post) => [post.id, post.quote_of_id ?? [], post.repost_of_id ?? []].flat()),
})

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
  const found = await showPosts(ctx, viewer, listed.ids)
  const posts = found.filter(({ type, reposted_post }) => type !== 'repost' || reposted_post !== null)
  // Also whose posts may not be seen now: they may be seen later.
  const shown = shownBy([person.id, ...listed.others], found)
  return {
    person,
    posts,
    shown,
    changedAt: new Date(listed.changed_at),
    showsOthers: listed.others.length > 0,
  }
}

/** The feed of an account, whose address was `path`. */
export const profileFeed = async (
  ctx: Publishing,
  viewer: Viewer,
  handle: string,
  format: Format,
  { count, include }: FeedQuery,
  path: string,
) => {
  const base = ctx.config.urls.publishing
  const found = await newestOf(ctx, viewer, handle, typesOf(include), count)
  const { person, posts, shown, changedAt, showsOthers } = found
  const updated = newest(posts, changedAt)
  const feed = {
    title: nameOf(person),
    description: person.bio?.trim() || `Posts by ${nameOf(person)}`,
    home: `${base}/@${person.handle}`,
    self: base + legalPath(path),
    icon: secureUrl(person.avatar_url),
    author: { name: nameOf(person), url: `${base}/@${person.handle}` },
    updated,
    items: posts.map(itemOf(base)),
  }
  return { value: answer(format, feed, updated, !showsOthers), shown }
}

// Formats ask for a date also where nothing ever happened.
const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)

/** The feed of a hashtag. It has no date of its own: a post that is deleted leaves none behind. */
export const tagFeed = async (ctx: Publishing, text: string, format: Format, count: number, path: string) => {
  const base = ctx.config.urls.publishing
  const tag = tagOf(text.replace(/^#/, ''))
  const { posts } = await readTagTimeline(ctx, null, tag, { limit: count })
  const feed = {
    title: `#${tag}`,
    description: `Posts tagged #${tag}`,
    home: `${base}/tags/${encodeURIComponent(tag)}`,
    self: base + legalPath(path),
    icon: null,
    author: null,
    updated: newest(posts, posts.length > 0 ? new Date(0) : startOfDay(ctx.clock.now())),
    items: posts.map(itemOf(base)),
  }
  return { value: answer(format, feed, null), shown: 'anything' as const }
}

import { createHash } from 'node:crypto'
import { notFound } from '#platform/errors.ts'
import { requirePostsOf } from '../audience.ts'
import type { Publishing, Viewer } from '../context.ts'
import type { Shown } from '../drawn.ts'
import type { Post, PostType } from '../posts/schema.ts'
import { tagOf } from '../posts/text.ts'
import { showPosts } from '../posts/views.ts'
import { reachable } from '../profiles/profiles.ts'
import { readTagTimeline } from '../timelines/timelines.ts'
import { type Feed, itemOf, nameOf, newest, secureUrl } from './feed.ts'
import { type Format, formats } from './formats.ts'
import { listForFeed } from './store.ts'

export type FeedAnswer = { body: Buffer; type: string; etag: string; modified: string | null }
export type FeedQuery = { count: number; include?: string }

/** Posts and quotes, and what else was asked for. */
const typesOf = (include = ''): PostType[] => [
  'post',
  'quote',
  ...(include.includes('replies') ? (['reply'] as const) : []),
  ...(include.includes('reposts') ? (['repost'] as const) : []),
]

const answer = (format: Format, feed: Feed, modified: Date | null): FeedAnswer => {
  const body = Buffer.from(formats[format].write(feed))
  return {
    body,
    type: `${formats[format].type}; charset=utf-8`,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
    modified: modified?.toUTCString() ?? null,
  }
}

/** Everybody and everything that these posts show. */
const shownBy = (ownerId: number, posts: readonly Post[]): Shown => {
  const all = posts.flatMap((post) => [post, post.quoted_post ?? [], post.reposted_post ?? []].flat())
  // Also what is quoted but may not be seen now: it may be seen later.
  const ids = posts.flatMap((post) => [post.id, post.quote_of_id ?? [], post.repost_of_id ?? []].flat())
  return { people: [ownerId, ...all.map(({ author }) => author.id)], posts: ids }
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
  const found = await showPosts(ctx, viewer, listed.ids)
  const posts = found.filter(({ type, reposted_post }) => type !== 'repost' || reposted_post !== null)
  return { person, posts, shown: shownBy(person.id, found), changedAt: new Date(listed.changed_at) }
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
  const { person, posts, shown, changedAt } = await newestOf(ctx, viewer, handle, typesOf(include), count)
  const updated = newest(posts, changedAt)
  const feed = {
    title: nameOf(person),
    description: person.bio?.trim() || `Posts by ${nameOf(person)}`,
    home: `${base}/@${person.handle}`,
    self: base + path,
    icon: secureUrl(person.avatar_url),
    updated,
    items: posts.map(itemOf(base)),
  }
  return { value: answer(format, feed, updated), shown }
}

/** The feed of a hashtag. It has no date of its own: a post that is deleted leaves none behind. */
export const tagFeed = async (ctx: Publishing, text: string, format: Format, count: number, path: string) => {
  const base = ctx.config.urls.publishing
  const tag = tagOf(text.replace(/^#/, ''))
  const { posts } = await readTagTimeline(ctx, null, tag, { limit: count })
  const feed = {
    title: `#${tag}`,
    description: `Posts tagged #${tag}`,
    home: `${base}/tags/${encodeURIComponent(tag)}`,
    self: base + path,
    icon: null,
    updated: newest(posts, new Date(0)),
    items: posts.map(itemOf(base)),
  }
  return answer(format, feed, null)
}

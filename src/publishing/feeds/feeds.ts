import { notFound } from '#platform/errors.ts'
import type { Publishing, Viewer } from '../context.ts'
import { logoUrl } from '../instance/instance.ts'
import { beforeId, sliceByCursor } from '../paging.ts'
import { renderTracked } from '../posts/render.ts'
import type { PostType } from '../posts/schema.ts'
import { requireVisiblePosts } from '../posts/visibility.ts'
import { requireActiveUser } from '../profiles/profiles.ts'
import { isBlank, onlyText } from '../visible-text.ts'
import { itemOf, legalPath, nameOf, newest, nextUrl, secureUrl } from './feed.ts'
import { type FeedRequest, type FeedSlice, hubOf, responseOf, startOfDay } from './response.ts'
import { listForFeed } from './store.ts'

export type FeedQuery = FeedSlice & { handle: string; include?: string }

/** Posts and quotes, and what else was requested. */
const typesOf = (include = ''): PostType[] => [
  'post',
  'quote',
  ...(include.includes('replies') ? (['reply'] as const) : []),
  ...(include.includes('reposts') ? (['repost'] as const) : []),
]

/** The newest posts of an account for readers elsewhere, and what they depend on. */
export const newestOf = async (
  ctx: Publishing,
  viewer: Viewer,
  handle: string,
  { types, count, ...from }: FeedSlice & { types: readonly PostType[] },
) => {
  const account = await requireActiveUser(ctx, handle)
  await requireVisiblePosts(ctx, viewer, account)
  const slice = { before: beforeId({ limit: count, ...from }), limit: count + 1 }
  const listed = (await listForFeed(ctx.db.sql, account.id, types, slice)) ?? notFound('User not found')
  const { ids, nextCursor } = sliceByCursor(listed.ids, count)
  const { posts: found, shown } = await renderTracked(ctx, viewer, ids)
  const posts = found.filter(({ type, reposted_post }) => type !== 'repost' || reposted_post !== null)
  return {
    account,
    posts,
    nextCursor,
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
  { handle, include, ...slice }: FeedQuery,
  request: FeedRequest,
) => {
  const base = ctx.config.urls.publishing
  const found = await newestOf(ctx, viewer, handle, { types: typesOf(include), ...slice })
  const { account, posts, nextCursor, shown, changedAt, showsOthers } = found
  const changed = newest(posts, changedAt)
  // Several changes within one second have different dates, the later ones in the future (see `touch_feed`). No date in a
  // response may lie in the future: until then only the ETag tells versions apart, and the feed is dated by its posts.
  const now = ctx.clock.now()
  const isAhead = changed > now
  const feed = {
    title: nameOf(account),
    description: isBlank(account.bio ?? '') ? `Posts by ${nameOf(account)}` : onlyText(account.bio!.trim()),
    home: `${base}/@${account.handle}`,
    self: base + legalPath(request.path),
    next: nextCursor && base + nextUrl(request.path, 'cursor', nextCursor),
    hub: hubOf(ctx, request),
    icon: secureUrl(account.avatar_url) ?? logoUrl(ctx),
    language: account.language ?? ctx.instance.current.language,
    author: { name: nameOf(account), url: `${base}/@${account.handle}` },
    updated: isAhead ? newest(posts, startOfDay(now)) : changed,
    items: posts.map(itemOf(base)),
  }
  const version = { modified: isAhead ? now : changed, isDated: !showsOthers && !isAhead }
  return { value: responseOf(request, feed, version), shown }
}

import type { Publishing } from '../context.ts'
import { logoUrl } from '../instance/instance.ts'
import type { Post } from '../posts/schema.ts'
import { parseTag } from '../posts/text.ts'
import { search } from '../search/search.ts'
import { readExplore, readTagTimeline } from '../timelines/timelines.ts'
import { onlyText } from '../visible-text.ts'
import { type Feed, itemOf, legalPath, newest, nextUrl } from './feed.ts'
import { type FeedRequest, type FeedSlice, hubOf, responseOf, startOfDay } from './response.ts'

type Shared = Pick<Feed, 'title' | 'description' | 'next' | 'hub'> & { home: string; posts: readonly Post[] }

/** A feed of posts by many. It has no date: the deletion of a post would not change it. */
const sharedFeed = (ctx: Publishing, request: FeedRequest, { home, posts, ...about }: Shared) => {
  const base = ctx.config.urls.publishing
  const feed = {
    ...about,
    home: base + home,
    self: base + legalPath(request.path),
    icon: logoUrl(ctx),
    language: ctx.instance.current.language,
    author: null,
    updated: newest(posts, posts.length > 0 ? new Date(0) : startOfDay(ctx.clock.now())),
    items: posts.map(itemOf(base)),
  }
  return {
    value: responseOf(request, feed, { modified: null, isDated: false }),
    shown: 'anything' as const,
  }
}

const timelineSlice = ({ count, ...from }: FeedSlice) => ({ limit: count, ...from })

export const exploreFeed = async (ctx: Publishing, slice: FeedSlice, request: FeedRequest) => {
  const { posts, nextCursor } = await readExplore(ctx, null, timelineSlice(slice))
  return sharedFeed(ctx, request, {
    title: `Explore · ${ctx.instance.current.name}`,
    description: 'Posts from everyone, newest first',
    home: '/',
    next: nextCursor && ctx.config.urls.publishing + nextUrl(request.path, 'cursor', nextCursor),
    hub: hubOf(ctx, request),
    posts,
  })
}

/** The feed of a hashtag. */
export const tagFeed = async (ctx: Publishing, text: string, slice: FeedSlice, request: FeedRequest) => {
  const tag = parseTag(text)
  const { posts, nextCursor } = await readTagTimeline(ctx, null, tag, timelineSlice(slice))
  return sharedFeed(ctx, request, {
    title: `#${tag}`,
    description: `Posts tagged #${tag}`,
    home: `/tags/${encodeURIComponent(tag)}`,
    next: nextCursor && ctx.config.urls.publishing + nextUrl(request.path, 'cursor', nextCursor),
    hub: null,
    posts,
  })
}

/** The feed of whatever matches a search. */
export const searchFeed = async (
  ctx: Publishing,
  { q, page, count }: { q: string; page: number; count: number },
  request: FeedRequest,
) => {
  const { data, total } = await search(ctx, null, { q, type: 'post', page, limit: count })
  const words = onlyText(q).trim()
  return sharedFeed(ctx, request, {
    title: `Search: ${words}`,
    description: `Posts that contain “${words}”, newest first`,
    home: `/search?q=${encodeURIComponent(q)}&type=post`,
    next: page * count < total ? ctx.config.urls.publishing + nextUrl(request.path, 'page', page + 1) : null,
    hub: null,
    posts: data.posts,
  })
}

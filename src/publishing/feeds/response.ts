import { etagOf } from '#platform/http/response/etag.ts'
import type { Publishing } from '../context.ts'
import { type CachedResponse, cachedResponse } from '../responses/cached-response.ts'
import type { Feed } from './feed.ts'
import { type Format, formats } from './formats.ts'

/** How many posts, and those before which. */
export type FeedSlice = { count: number; cursor?: string }

/** Where a feed was requested, and how its response may be cached. */
export type FeedRequest = { route: string; format: Format; path: string; shared: Record<string, string> }

/** The hub is told of changes of the plain address only, and only of what everybody may see. */
export const hubOf = ({ config }: Publishing, { path, shared }: FeedRequest) =>
  !path.includes('?') && shared['cache-control']?.startsWith('public') ? (config.websubHub ?? null) : null

export const responseOf = (
  { route, format, shared }: FeedRequest,
  feed: Feed,
  { modified, isDated }: { modified: Date | null; isDated: boolean },
): CachedResponse => {
  const body = formats[format].write(feed)
  const version = { etag: etagOf(body), lastModified: modified?.toUTCString() ?? null, isDated }
  const link = feed.hub === null ? {} : { link: `<${feed.hub}>; rel="hub", <${feed.self}>; rel="self"` }
  return cachedResponse(body, {
    route,
    type: `${formats[format].type}; charset=utf-8`,
    version,
    shared: { ...shared, ...link },
  })
}

// The formats require a date even if there are no posts.
export const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)

import type { RequestHeader, ResponseHeader } from '#platform/http/contract/openapi/headers.ts'
import { notModified, Pattern } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type App, type Module, viewer } from '../access.ts'
import type { Publishing } from '../context.ts'
import { CursorQuery, oneCursor, pageFields } from '../paging.ts'
import { Tag } from '../posts/schema.ts'
import { Handle } from '../profiles/schema.ts'
import { cachingOf, responseOf, sendCached, sendResponse, tagged } from '../responses/send.ts'
import { profileFeed } from './feeds.ts'
import { type Format, formats } from './formats.ts'
import { exploreFeed, searchFeed, tagFeed } from './shared-feeds.ts'

const tags = ['Feeds']
const count = Type.Integer({ minimum: 1, maximum: 50, default: 20 })
const { cursor } = CursorQuery.properties
const FeedQuery = Type.Object({
  count,
  include: Type.Optional(
    Type.String({
      ...Pattern('^(replies|reposts)(,(replies|reposts))*$', 'must be replies, reposts or replies,reposts'),
      description: 'What besides posts and quotes: `replies`, `reposts` or both',
    }),
  ),
  cursor,
})

const site = 'https://social.example.com'
const jsonFeed = {
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Harbour Watch',
  home_page_url: `${site}/@harbourwatch`,
  feed_url: `${site}/api/users/harbourwatch/feed.json`,
  items: [
    {
      id: `${site}/@harbourwatch/9007`,
      url: `${site}/@harbourwatch/9007`,
      content_html: '<p>Low tide at <strong>noon</strong></p>',
      date_published: '2026-03-14T09:26:53.589Z',
    },
  ],
}

const responses = (format: Format) => ({
  200: responseOf(
    formats[format].type,
    'The feed',
    format === 'json' ? JSON.stringify(jsonFeed, null, 2) : undefined,
  ),
  304: notModified,
})

const paging = 'A link to the next page leads to older posts. `ETag` allows conditional requests.'

/** A format as a part of an operation's name. */
const inName = (format: Format) => format.charAt(0).toUpperCase() + format.slice(1)

/** How responses may be cached: those without credentials by everybody. */
type Caching = { forAll: Record<string, string>; forOne: Record<string, string> }

const dated: { reads: RequestHeader[]; sends: ResponseHeader[] } = {
  reads: ['If-None-Match', 'If-Modified-Since'],
  sends: ['ETag', 'Last-Modified'],
}

const ofUser = (app: App, ctx: Publishing, format: Format, { forAll, forOne }: Caching) => {
  const route = `/api/users/:handle/feed.${format}` as const
  app.get(
    route,
    {
      schema: {
        operationId: `getUserFeed${inName(format)}`,
        summary: `Get an account's ${formats[format].name} feed`,
        description:
          `Returns the newest posts of an account as ${formats[format].name}, 20 by default and at most 50. Replies and ` +
          'reposts are left out unless `include` names them. A link to the next page leads to older posts. `ETag` and ' +
          '`Last-Modified` allow conditional requests. The feed of a protected or suspended account is refused with 403.',
        tags,
        params: Handle,
        querystring: FeedQuery,
        response: responses(format),
      },
      preValidation: oneCursor,
      config: { access: 'reader', ...dated, refuses: [400, 412] },
    },
    async (req, reply) => {
      const shared = req.principal === null ? forAll : forOne
      const request = { route, format, path: req.url, shared }
      const render = () => profileFeed(ctx, viewer(req), { ...req.params, ...req.query }, request)
      if (req.principal !== null) return sendResponse(req, reply, (await render()).value)
      return sendCached(ctx, req, reply, render)
    },
  )
}

const ofTag = (app: App, ctx: Publishing, format: Format, { forAll }: Caching) => {
  const route = `/api/hashtags/:tag/feed.${format}` as const
  app.get(
    route,
    {
      schema: {
        operationId: `getHashtagFeed${inName(format)}`,
        summary: `Get a hashtag's ${formats[format].name} feed`,
        description:
          `Returns the newest public posts with a hashtag as ${formats[format].name}, 20 by default and at most 50. ` +
          `Hashtags are matched ignoring case. ${paging}`,
        tags,
        params: Tag,
        querystring: Type.Object({ count, cursor }),
        response: responses(format),
      },
      preValidation: oneCursor,
      config: { access: 'reader', ...tagged, refuses: [400, 412] },
    },
    async (req, reply) => {
      const request = { route, format, path: req.url, shared: forAll }
      return sendCached(ctx, req, reply, () => tagFeed(ctx, req.params.tag, req.query, request))
    },
  )
}

const ofExplore = (app: App, ctx: Publishing, format: Format, { forAll }: Caching) => {
  const route = `/feed.${format}` as const
  app.get(
    route,
    {
      schema: {
        operationId: `getExploreFeed${inName(format)}`,
        summary: `Get the ${formats[format].name} feed of all public posts`,
        description:
          `Returns the newest public posts of all accounts as ${formats[format].name}, 20 by default and at most 50. ` +
          paging,
        tags,
        querystring: Type.Object({ count, cursor }),
        response: responses(format),
      },
      preValidation: oneCursor,
      config: { access: 'reader', ...tagged, refuses: [400, 412] },
    },
    async (req, reply) => {
      const request = { route, format, path: req.url, shared: forAll }
      return sendCached(ctx, req, reply, () => exploreFeed(ctx, req.query, request))
    },
  )
}

const ofSearch = (app: App, ctx: Publishing, format: Format, { forAll }: Caching) => {
  const route = `/api/search/feed.${format}` as const
  app.get(
    route,
    {
      schema: {
        operationId: `getSearchFeed${inName(format)}`,
        summary: `Get the ${formats[format].name} feed of a search`,
        description:
          `Returns the newest public posts that match a search as ${formats[format].name}, 20 by default and at most 50. ` +
          `It counts towards the limit of searches. ${paging}`,
        tags,
        querystring: Type.Object({
          q: Type.String({
            minLength: 1,
            maxLength: 280,
            description: 'Words or parts of words, in any order',
          }),
          count,
          page: pageFields.page,
        }),
        response: responses(format),
      },
      config: { access: 'reader', limit: 'search', ...tagged, refuses: [412] },
    },
    // Not from the cache, which does not count searches.
    async (req, reply) => {
      const request = { route, format, path: req.url, shared: forAll }
      return sendResponse(req, reply, (await searchFeed(ctx, req.query, request)).value)
    },
  )
}

export const feeds: Module = (app, ctx) => {
  const caching = {
    forAll: cachingOf(ctx.config, { principal: null }),
    forOne: cachingOf(ctx.config, { principal: {} }),
  }
  for (const format of Object.keys(formats) as Format[])
    for (const add of [ofUser, ofTag, ofExplore, ofSearch]) add(app, ctx, format, caching)
}

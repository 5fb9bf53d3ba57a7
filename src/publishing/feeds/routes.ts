import { Type } from 'typebox'
import { notModified, Pattern } from '#platform/http/schema.ts'
import { type Module, viewer } from '../access.ts'
import { Tag } from '../posts/schema.ts'
import { Handle } from '../profiles/schema.ts'
import { responseOf, sendCached, sendResponse, variesByReader } from '../responses/send.ts'
import { profileFeed, tagFeed } from './feeds.ts'
import { type Format, formats } from './formats.ts'

const tags = ['Feeds']
const count = Type.Integer({ minimum: 1, maximum: 50, default: 20 })
const FeedQuery = Type.Object({
  count,
  include: Type.Optional(
    Type.String({
      ...Pattern('^(replies|reposts)(,(replies|reposts))*$', 'must be replies, reposts or replies,reposts'),
      description: 'What besides posts and quotes: `replies`, `reposts` or both',
    }),
  ),
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

const responses = (format: Format, type: string) => ({
  200: responseOf(type, 'The feed', format === 'json' ? JSON.stringify(jsonFeed, null, 2) : undefined),
  304: notModified,
})

export const feeds: Module = (app, ctx) => {
  const vary = variesByReader(ctx.config)
  const forAll = { 'cache-control': 'public, no-cache', vary }
  const forOne = { 'cache-control': 'private, no-cache', vary }

  for (const [extension, { type, name }] of Object.entries(formats)) {
    const format = extension as Format
    const ofUser = `/api/users/:handle/feed.${format}` as const
    const ofTag = `/api/hashtags/:tag/feed.${format}` as const
    app.get(
      ofUser,
      {
        schema: {
          operationId: `getUserFeed${format}`,
          summary: `Get an account's ${name} feed`,
          description:
            `Returns the newest posts of an account as ${name}, 20 by default and at most 50. Replies and reposts are left ` +
            'out unless `include` names them. `ETag` and `Last-Modified` allow conditional requests. The feed of a ' +
            'protected or suspended account is refused with 403.',
          tags,
          params: Handle,
          querystring: FeedQuery,
          response: responses(format, type),
        },
        config: { access: 'reader' },
      },
      async (req, reply) => {
        const shared = req.principal === null ? forAll : forOne
        const request = { route: ofUser, format, path: req.url, shared }
        const render = () => profileFeed(ctx, viewer(req), { ...req.params, ...req.query }, request)
        if (req.principal !== null) return sendResponse(req, reply, (await render()).value)
        return sendCached(ctx, req, reply, render)
      },
    )

    app.get(
      ofTag,
      {
        schema: {
          operationId: `getHashtagFeed${format}`,
          summary: `Get a hashtag's ${name} feed`,
          description:
            `Returns the newest public posts with a hashtag as ${name}, 20 by default and at most 50. Hashtags are matched ` +
            'ignoring case. `ETag` and `Last-Modified` allow conditional requests.',
          tags,
          params: Tag,
          querystring: Type.Object({ count }),
          response: responses(format, type),
        },
        config: { access: 'reader' },
      },
      async (req, reply) => {
        const request = { route: ofTag, format, path: req.url, shared: forAll }
        return sendCached(ctx, req, reply, () => tagFeed(ctx, req.params.tag, req.query.count, request))
      },
    )
  }
}

import { Type } from 'typebox'
import { notModified } from '#platform/http/schema.ts'
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
      pattern: '^(replies|reposts)(,(replies|reposts))*$',
      description: 'What besides posts and quotes: `replies`, `reposts` or both',
    }),
  ),
})

const responses = (type: string) => ({ 200: responseOf(type, 'The feed'), 304: notModified })

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
          summary: `Posts of an account as ${name}`,
          tags,
          params: Handle,
          querystring: FeedQuery,
          response: responses(type),
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
          summary: `Posts with a tag as ${name}`,
          tags,
          params: Tag,
          querystring: Type.Object({ count }),
          response: responses(type),
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

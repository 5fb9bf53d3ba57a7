import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Module } from '#platform/http/service.ts'
import { viewer } from '../access.ts'
import { answerOf, isKnown, notChanged, nothingNew } from '../conditional.ts'
import type { Publishing } from '../context.ts'
import { drawnCache } from '../drawn.ts'
import { Handle } from '../profiles/schema.ts'
import { Tag } from '../timelines/schema.ts'
import { type FeedAnswer, profileFeed, tagFeed } from './feeds.ts'
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

const responses = (type: string) => ({ 200: answerOf(type, 'The feed'), 304: notChanged })

const send = (req: FastifyRequest, reply: FastifyReply, feed: FeedAnswer, isShared: boolean) => {
  const { etag, modified, type } = feed
  reply.headers({
    'cache-control': isShared ? 'public, no-cache' : 'private, no-cache',
    vary: 'Authorization',
    'content-type': type,
    etag,
  })
  if (modified !== null) reply.header('last-modified', modified)
  return isKnown(req.headers, feed) ? nothingNew(reply) : feed.body
}

export const feeds: Module<Publishing> = (app, ctx) => {
  const drawn = drawnCache<FeedAnswer>(ctx.signals)

  for (const [extension, { type, name }] of Object.entries(formats)) {
    const format = extension as Format
    app.get(
      `/api/users/:handle/feed.${format}`,
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
        const found = req.principal === null ? drawn.find(req.url) : undefined
        if (found) return send(req, reply, found, true)
        const { handle } = req.params
        const draw = () => profileFeed(ctx, viewer(req), handle, format, req.query, req.url)
        if (req.principal !== null) return send(req, reply, (await draw()).value, false)
        return send(req, reply, await drawn.draw(req.url, draw), true)
      },
    )

    app.get(
      `/api/hashtags/:tag/feed.${format}`,
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
      async (req, reply) =>
        send(req, reply, await tagFeed(ctx, req.params.tag, format, req.query.count, req.url), true),
    )
  }
}

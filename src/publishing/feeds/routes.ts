import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Module } from '#platform/http/service.ts'
import { viewer } from '../access.ts'
import { answerOf, notChanged, type Ready, sendReady, variesByReader } from '../conditional.ts'
import type { Publishing } from '../context.ts'
import { drawnCache } from '../drawn.ts'
import { Handle } from '../profiles/schema.ts'
import { Tag } from '../timelines/schema.ts'
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

const responses = (type: string) => ({ 200: answerOf(type, 'The feed'), 304: notChanged })

export const feeds: Module<Publishing> = (app, ctx) => {
  const drawn = drawnCache<Ready>(ctx.signals)
  const vary = variesByReader(ctx.config)
  const forAll = { 'cache-control': 'public, no-cache', vary }
  const forOne = { 'cache-control': 'private, no-cache', vary }
  // Before anything is parsed or checked: whatever is kept under an address was right when it was drawn.
  const onRequest = (req: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const found = req.principal === null ? drawn.find(req.url) : undefined
    if (found) sendReady(req, reply, found, forAll)
    else done()
  }

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
        onRequest,
      },
      async (req, reply) => {
        const { handle } = req.params
        const draw = () => profileFeed(ctx, viewer(req), handle, format, req.query, req.url)
        if (req.principal !== null) return sendReady(req, reply, (await draw()).value, forOne)
        return sendReady(req, reply, await drawn.draw(req.url, draw), forAll)
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
        onRequest,
      },
      async (req, reply) => {
        const draw = () => tagFeed(ctx, req.params.tag, format, req.query.count, req.url)
        return sendReady(req, reply, await drawn.draw(req.url, draw), forAll)
      },
    )
  }
}

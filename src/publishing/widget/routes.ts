import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { OneOf } from '#platform/http/schema.ts'
import type { Module } from '#platform/http/service.ts'
import { viewer } from '../access.ts'
import {
  answerOf,
  isKnown,
  notChanged,
  nothingNew,
  sendReady,
  type Version,
  variesByReader,
} from '../conditional.ts'
import type { Publishing, Viewer } from '../context.ts'
import { drawnCache, etagOf } from '../drawn.ts'
import { newestOf } from '../feeds/feeds.ts'
import { newNonce } from '../pages/page.ts'
import { Handle } from '../profiles/schema.ts'
import { embedHeaders, embedPage, type Theme } from './embed.ts'
import { widgetScript } from './script.ts'

const tags = ['Widget']
const EmbedQuery = Type.Object({
  theme: OneOf(['auto', 'dark', 'light'], { default: 'auto' }),
  count: Type.Integer({ minimum: 1, maximum: 20, default: 5 }),
})

// Stands in a page that is kept for the nonce that each answer gets anew. Nobody can write it into a post.
const placeholder = newNonce()

type Kept = Version & { page: Buffer; nonceAt: number[] }

const keep = (text: string): Kept => {
  const page = Buffer.from(text)
  const nonceAt: number[] = []
  for (let at = page.indexOf(placeholder); at >= 0; at = page.indexOf(placeholder, at + 1)) nonceAt.push(at)
  // Weak, since the nonce in it differs each time.
  const etag = `W/${etagOf(text.replaceAll(placeholder, ''))}`
  return { page, nonceAt, etag, modified: null, isDated: false }
}

const withNonce = ({ page, nonceAt }: Kept, nonce: string) => {
  const answer = Buffer.from(page)
  for (const at of nonceAt) answer.write(nonce, at, 'latin1')
  return answer
}

const send = (req: FastifyRequest, reply: FastifyReply, kept: Kept, vary: string) => {
  reply.headers({ 'cache-control': 'no-cache', vary, etag: kept.etag })
  if (isKnown(req.headers, kept)) return nothingNew(reply)
  const nonce = newNonce()
  return reply.headers(embedHeaders(nonce)).send(withNonce(kept, nonce))
}

const drawEmbed = async (ctx: Publishing, viewer: Viewer, handle: string, theme: Theme, count: number) => {
  const { person, posts, shown } = await newestOf(ctx, viewer, handle, ['post', 'quote', 'repost'], count)
  const page = embedPage(ctx.config.urls.publishing, theme, person, posts, ctx.clock.now(), placeholder)
  return { value: keep(page), shown }
}

export const widget: Module<Publishing> = (app, ctx) => {
  const drawn = drawnCache<Kept>(ctx.signals)
  const vary = variesByReader(ctx.config)
  const script = {
    body: Buffer.from(widgetScript),
    etag: etagOf(widgetScript),
    modified: null,
    isDated: false,
    type: 'text/javascript; charset=utf-8',
  }
  const scriptHeaders = {
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    'cross-origin-resource-policy': 'cross-origin',
  }

  app.get(
    '/widget/feed.js',
    {
      schema: {
        operationId: 'getWidgetScript',
        summary: 'The script that puts a feed on any page',
        description:
          'Attributes of its tag: `data-user` (required), `data-theme` (auto, dark, light), `data-count` (1-20), `data-width` (pixels or any CSS value).',
        tags,
        response: {
          200: answerOf('text/javascript', 'The script'),
          304: notChanged,
        },
      },
      config: { access: 'open' },
    },
    (req, reply) => sendReady(req, reply, script, scriptHeaders),
  )

  app.get(
    '/widget/embed/:handle',
    {
      schema: {
        operationId: 'getEmbedPage',
        summary: 'The page inside the widget',
        tags,
        params: Handle,
        querystring: EmbedQuery,
        response: { 200: answerOf('text/html', 'A page'), 304: notChanged },
      },
      config: { access: 'reader' },
      onRequest: (req, reply, done) => {
        const found = req.principal === null ? drawn.find(req.url) : undefined
        if (found) send(req, reply, found, vary)
        else done()
      },
    },
    async (req, reply) => {
      const draw = () => drawEmbed(ctx, viewer(req), req.params.handle, req.query.theme, req.query.count)
      const kept = req.principal === null ? await drawn.draw(req.url, draw) : (await draw()).value
      return send(req, reply, kept, vary)
    },
  )
}

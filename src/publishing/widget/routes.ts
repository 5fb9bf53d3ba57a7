import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { OneOf } from '#platform/http/schema.ts'
import type { Module } from '#platform/http/service.ts'
import { viewer } from '../access.ts'
import { answerOf, isKnown, notChanged, nothingNew } from '../conditional.ts'
import type { Publishing, Viewer } from '../context.ts'
import { drawnCache } from '../drawn.ts'
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

type Kept = { page: Buffer; nonceAt: number[] }

const keep = (text: string): Kept => {
  const page = Buffer.from(text)
  const nonceAt: number[] = []
  for (let at = page.indexOf(placeholder); at >= 0; at = page.indexOf(placeholder, at + 1)) nonceAt.push(at)
  return { page, nonceAt }
}

const withNonce = ({ page, nonceAt }: Kept, nonce: string) => {
  const answer = Buffer.from(page)
  for (const at of nonceAt) answer.write(nonce, at, 'latin1')
  return answer
}

const drawEmbed = async (ctx: Publishing, viewer: Viewer, handle: string, theme: Theme, count: number) => {
  const { person, posts, shown } = await newestOf(ctx, viewer, handle, ['post', 'quote', 'repost'], count)
  const page = embedPage(ctx.config.urls.publishing, theme, person, posts, ctx.clock.now(), placeholder)
  return { value: keep(page), shown }
}

export const widget: Module<Publishing> = (app, ctx) => {
  const drawn = drawnCache<Kept>(ctx.signals)
  const etag = `"${createHash('sha256').update(widgetScript).digest('base64url').slice(0, 27)}"`

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
    async (req, reply) => {
      reply
        .header('cache-control', 'public, max-age=3600, stale-while-revalidate=86400')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('etag', etag)
      reply.header('content-type', 'text/javascript; charset=utf-8')
      return isKnown(req.headers, { etag, modified: null }) ? nothingNew(reply) : widgetScript
    },
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
        response: { 200: answerOf('text/html', 'A page') },
      },
      config: { access: 'reader' },
    },
    async (req, reply) => {
      const nonce = newNonce()
      const found = req.principal === null ? drawn.find(req.url) : undefined
      const draw = () => drawEmbed(ctx, viewer(req), req.params.handle, req.query.theme, req.query.count)
      const kept = found ?? (req.principal === null ? await drawn.draw(req.url, draw) : (await draw()).value)
      reply.headers(embedHeaders(nonce))
      return withNonce(kept, nonce)
    },
  )
}

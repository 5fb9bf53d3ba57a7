import { Type } from 'typebox'
import { OneOf } from '#platform/http/schema.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { type Module, viewer } from '../access.ts'
import { answerOf, notChanged, variesByReader } from '../conditional.ts'
import type { Viewer } from '../context.ts'
import { etagOf } from '../drawn.ts'
import { newestOf } from '../feeds/feeds.ts'
import { newNonce } from '../pages/page.ts'
import { Handle } from '../profiles/schema.ts'
import { bytesOf, sendDrawn, sendWhole, type Whole, wholeOf } from '../whole.ts'
import { embedPage, embedPolicy, type Theme } from './embed.ts'

const tags = ['Widget']
const EmbedQuery = Type.Object({
  theme: OneOf(['auto', 'dark', 'light'], { default: 'auto' }),
  count: Type.Integer({ minimum: 1, maximum: 20, default: 5 }),
})

// Stands for the nonce in a cached page; each response gets a new nonce. Nobody can guess it and put it into a post.
const placeholder = newNonce()

const embedRoute = '/widget/embed/:handle'

const wholeEmbed = (text: string, vary: string): Whole => {
  const parts = bytesOf(text).split(placeholder)
  // Weak, because the nonce in the body differs each time.
  const etag = `W/${etagOf(text.replaceAll(placeholder, ''))}`
  const version = { etag, modified: null, isDated: false }
  const shared = { 'cache-control': 'no-cache', vary }
  return {
    ...wholeOf(text, { route: embedRoute, type: 'text/html; charset=utf-8', version, shared }),
    write() {
      const nonce = newNonce()
      return { headers: embedPolicy(nonce), bytes: parts.join(nonce) }
    },
  }
}

const feedScript = lazyAsset(new URL('./feed.browser.ts', import.meta.url))

const wholeScript = () => {
  const text = feedScript()
  return wholeOf(text, {
    route: '/widget/feed.js',
    type: 'text/javascript; charset=utf-8',
    version: { etag: etagOf(text), modified: null, isDated: false },
    shared: {
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
}

export const widget: Module = (app, ctx) => {
  const vary = variesByReader(ctx.config)
  let script: Whole | undefined
  const types = ['post', 'quote', 'repost'] as const
  const renderEmbed = async (viewer: Viewer, handle: string, theme: Theme, count: number) => {
    const { account, posts, shown } = await newestOf(ctx, viewer, handle, { types, count })
    const base = ctx.config.urls.publishing
    const page = embedPage({ base, theme, account, posts, now: ctx.clock.now(), nonce: placeholder })
    return { value: wholeEmbed(page, vary), shown }
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
    (req, reply) => {
      script ??= wholeScript()
      return sendWhole(req, reply, script)
    },
  )

  app.get(
    embedRoute,
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
    },
    async (req, reply) => {
      const { theme, count } = req.query
      const render = () => renderEmbed(viewer(req), req.params.handle, theme, count)
      if (req.principal !== null) return sendWhole(req, reply, (await render()).value)
      return sendDrawn(ctx, req, reply, render)
    },
  )
}

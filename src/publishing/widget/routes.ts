import { etagOf } from '#platform/http/response/etag.ts'
import { notModified, OneOf } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { type Module, viewer } from '../access.ts'
import type { Viewer } from '../context.ts'
import { newestOf } from '../feeds/feeds.ts'
import { newNonce } from '../pages/page.ts'
import { Handle } from '../profiles/schema.ts'
import { type CachedResponse, cachedResponse } from '../responses/cached-response.ts'
import { responseOf, sendCached, sendResponse, tagged, variesByReader } from '../responses/send.ts'
import { embedPage, embedPolicy, type Theme } from './embed.ts'

const tags = ['Widget']
const EmbedQuery = Type.Object({
  theme: OneOf(['auto', 'dark', 'light'], { default: 'auto' }),
  count: Type.Integer({ minimum: 1, maximum: 20, default: 5 }),
})

// Stands for the nonce in a cached page; each response gets a new nonce. Nobody can guess it and put it into a post.
const placeholder = newNonce()

const embedRoute = '/widget/embed/:handle'

const cachedEmbed = (base: string, text: string, vary: string): CachedResponse => {
  const parts = text.split(placeholder)
  // Weak, because the nonce in the body differs each time.
  const etag = `W/${etagOf(text.replaceAll(placeholder, ''))}`
  const version = { etag, lastModified: null, isDated: false }
  const shared = { 'cache-control': 'no-cache', vary }
  const response = cachedResponse(text, {
    route: embedRoute,
    type: 'text/html; charset=utf-8',
    version,
    shared,
  })
  const { headers } = response.content()
  return {
    ...response,
    compressed: null,
    content() {
      const nonce = newNonce()
      return { headers: { ...headers, ...embedPolicy(base, nonce) }, body: parts.join(nonce) }
    },
  }
}

const feedScript = lazyAsset(new URL('./feed.browser.ts', import.meta.url))

const cachedScript = () => {
  const text = feedScript()
  return cachedResponse(text, {
    route: '/widget/feed.js',
    type: 'text/javascript; charset=utf-8',
    version: { etag: etagOf(text), lastModified: null, isDated: false },
    shared: {
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
}

export const widget: Module = (app, ctx) => {
  const vary = variesByReader(ctx.config)
  let script: CachedResponse | undefined
  const types = ['post', 'quote', 'repost'] as const
  const renderEmbed = async (viewer: Viewer, handle: string, theme: Theme, count: number) => {
    const { account, posts, shown } = await newestOf(ctx, viewer, handle, { types, count })
    const base = ctx.config.urls.publishing
    const page = embedPage({
      base,
      site: ctx.instance.current.name,
      theme,
      account,
      posts,
      now: ctx.clock.now(),
      nonce: placeholder,
    })
    return { value: cachedEmbed(base, page, vary), shown }
  }

  app.get(
    '/widget/feed.js',
    {
      schema: {
        operationId: 'getWidgetScript',
        summary: 'Get the widget script',
        description:
          'Returns the script that replaces its own tag with a feed in a sandboxed frame. Attributes of ' +
          'the tag: `data-user` (required), `data-theme` (`auto`, `dark`, `light`), `data-count` (1 to 20, ' +
          '5 by default), and `data-width` (pixels or any CSS value). Several may be used on one page.',
        tags,
        response: {
          200: responseOf('text/javascript', 'The script'),
          304: notModified,
        },
      },
      config: { access: 'open', ...tagged, refuses: [412] },
    },
    (req, reply) => {
      script ??= cachedScript()
      return sendResponse(req, reply, script)
    },
  )

  app.get(
    embedRoute,
    {
      schema: {
        operationId: 'getEmbedPage',
        summary: 'Get the embedded page',
        description:
          'Returns the page that the widget shows in its frame. It works without JavaScript and may be ' +
          'framed by any site. For an account that is unknown, protected or suspended it shows a note, ' +
          'with status 404 or 403.',
        tags,
        params: Handle,
        querystring: EmbedQuery,
        response: { 200: responseOf('text/html', 'A page'), 304: notModified },
      },
      config: { access: 'reader', ...tagged, refuses: [412] },
    },
    async (req, reply) => {
      const { theme, count } = req.query
      const render = () => renderEmbed(viewer(req), req.params.handle, theme, count)
      if (req.principal !== null) return sendResponse(req, reply, (await render()).value)
      return sendCached(ctx, req, reply, render)
    },
  )
}

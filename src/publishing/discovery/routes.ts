import { etagOf } from '#platform/http/response/etag.ts'
import { Type } from '#platform/type/type.ts'
import { html } from '#platform/web/html.ts'
import type { Module } from '../access.ts'
import { xmlDocument } from '../feeds/text.ts'
import { cachedResponse } from '../responses/cached-response.ts'
import { sendResponse } from '../responses/send.ts'
import { sitemap } from './sitemap.ts'
import { webFinger } from './webfinger.ts'

/** How browsers and feed readers search here (OpenSearch 1.1). */
const openSearchDescription = (base: string, name: string) =>
  xmlDocument(html`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${[...name].slice(0, 16).join('')}</ShortName>
<Description>Search posts, people and tags on ${name}</Description>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
<Url type="text/html" method="get" template="${base}/search?q={searchTerms}"/>
<Url type="application/rss+xml" method="get" template="${base}/api/search/feed.rss?q={searchTerms}&amp;page={startPage?}"/>
<Url type="application/atom+xml" method="get" template="${base}/api/search/feed.atom?q={searchTerms}&amp;page={startPage?}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${base}/opensearch.xml"/>
</OpenSearchDescription>
`)

const forAll = { access: 'public' } as const

const document = (text: string, route: string, type: string, maxAge: number) =>
  cachedResponse(text, {
    route,
    type,
    version: { etag: etagOf(text), lastModified: null, isDated: false },
    shared: { 'cache-control': `public, max-age=${maxAge}` },
  })

const SitemapQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
})
const WebFingerQuery = Type.Object({
  resource: Type.String({ minLength: 1, maxLength: 2_048 }),
  rel: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 20 })])),
})

/** What search engines, browsers and other servers look for at addresses of their own choice. */
export const discovery: Module = (app, ctx) => {
  app.get(
    '/sitemap.xml',
    { schema: { hide: true, querystring: SitemapQuery }, config: forAll },
    async (req, reply) => {
      const text = await sitemap(ctx, req.query.after)
      return sendResponse(req, reply, document(text, '/sitemap.xml', 'application/xml; charset=utf-8', 600))
    },
  )

  app.get('/opensearch.xml', { schema: { hide: true }, config: forAll }, (req, reply) => {
    const text = openSearchDescription(ctx.config.urls.publishing, ctx.instance.current.name)
    const type = 'application/opensearchdescription+xml; charset=utf-8'
    return sendResponse(req, reply, document(text, '/opensearch.xml', type, 86_400))
  })

  app.get(
    '/.well-known/webfinger',
    { schema: { hide: true, querystring: WebFingerQuery }, config: forAll },
    async (req, reply) => {
      const { resource, rel = [] } = req.query
      const found = await webFinger(ctx, resource, [rel].flat())
      return reply.type('application/jrd+json').header('cache-control', 'public, max-age=300').send(found)
    },
  )
}

import { notFound, unavailable } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { guideCsp, renderGuide, renderGuideIndex } from '#platform/reference/guides/guide-page.ts'
import { guidesFor } from '#platform/reference/guides/guides.ts'
import { referenceCsp, renderReference } from '#platform/reference/reference.ts'
import { Type } from '#platform/type/type.ts'
import { framePolicy } from '#platform/web/frame.ts'
import type { App } from '../app.ts'
import type { Metrics } from '../metrics.ts'
import { keptDocument } from '../response/document.ts'
import { fixedHeaders } from '../response/headers.ts'
import type { Shutdown } from '../server/drain.ts'
import type { Exchanges } from '../server/exchanges.ts'
import { protocolFault } from '../server/protocol.ts'
import type { Service } from '../service.ts'
import { siteRoutes } from './site.ts'

const Status = Type.Object({ status: Type.String() }, { title: 'Status' })
const tags = ['System']
const scrapeMs = 100
const json = 'application/json; charset=utf-8'
const page = 'text/html; charset=utf-8'

/** Health, metrics and documentation: at the root of every service, open to all, never limited. */
export const systemRoutes = (
  app: App,
  service: Service,
  ctx: Platform,
  { metrics, exchanges, shutdown }: { metrics: Metrics; exchanges: Exchanges; shutdown: Shutdown },
) => {
  const config = { access: 'system' }
  const fixed = {
    ...fixedHeaders(ctx.config, ctx.config.urls[service.name]),
    'access-control-allow-origin': '*',
  }
  app.addHook('onRequest', (req, reply, done) => {
    exchanges.begin(req, reply)
    reply.headers(fixed).header('x-request-id', req.id)
    done(protocolFault(req.raw))
  })

  app.get('/healthz', {
    schema: {
      operationId: 'getHealth', summary: 'Check health', tags, response: { 200: Status },
      description: 'Returns 200 while the process is running. Use it to decide whether to restart the process.',
    },
    config,
  }, () => ({ status: 'ok' })) // biome-ignore format: as a table

  app.get('/readyz', {
    schema: {
      operationId: 'getReadiness', summary: 'Check readiness', tags, response: { 200: Status },
      description:
        'Returns 200 when the database responds and the process is not stopping, and 503 otherwise. Use it to decide ' +
        'whether to send requests here.',
    },
    config: { ...config, refuses: [503] },
  }, async () => {
    if (shutdown.leaving) unavailable('This node is stopping')
    try {
      await ctx.db.sql`select 1`
    } catch (cause) {
      return unavailable('The database is not available', cause)
    }
    return { status: 'ready' }
  }) // biome-ignore format: as a table

  // Rendered once for all requests within a moment, because rendering costs as much as many responses.
  let scraped: Promise<string> | undefined
  const scrape = () => {
    if (scraped) return scraped
    scraped = metrics.text()
    setTimeout(() => {
      scraped = undefined
    }, scrapeMs).unref()
    return scraped
  }
  app.get('/metrics', { schema: { hide: true }, config }, async (req, reply) => {
    const { type, text } = metrics.format(await scrape(), req.headers.accept)
    reply.headers({ 'content-type': type, vary: 'Accept' })
    return text
  })

  const guides = guidesFor(service.name)
  app.get(
    '/openapi.json',
    { schema: { hide: true }, config },
    keptDocument(json, async () => JSON.stringify(await app.openApi())),
  )

  const docs = keptDocument(page, async () =>
    renderReference((await app.openApi()) as never, { service: service.name, guides }),
  )
  app.get('/docs', { schema: { hide: true }, config }, (req, reply) =>
    docs(req, reply.header('content-security-policy', referenceCsp())),
  )

  const index = keptDocument(page, () => renderGuideIndex({ service: service.name, guides }))
  app.get('/docs/guides', { schema: { hide: true }, config }, (req, reply) =>
    index(req, reply.header('content-security-policy', framePolicy())),
  )

  // Shared links often end in a slash.
  for (const path of ['/docs', '/docs/guides'])
    app.get(`${path}/`, { schema: { hide: true }, config }, (_, reply) => reply.redirect(path, 308))

  const guidePages = new Map(
    guides.map((guide) => [
      guide.name,
      keptDocument(page, () => renderGuide(guide, { service: service.name, guides })),
    ]),
  )
  app.get('/docs/guides/:name', { schema: { hide: true }, config }, (req, reply) => {
    const { name } = req.params as { name: string }
    const guide = guidePages.get(name) ?? notFound('No guide with this name')
    return guide(req, reply.header('content-security-policy', guideCsp()))
  })

  siteRoutes(app, service, ctx, guides)
}

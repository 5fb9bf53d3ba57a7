import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { unavailable } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { referenceCsp, renderReference } from '#platform/reference/reference.ts'
import type { Exchanges } from './exchanges.ts'
import { fixedHeaders } from './headers.ts'
import type { Metrics } from './metrics.ts'
import type { App, Lifecycle, Service } from './service.ts'

const Status = Type.Object({ status: Type.String() }, { title: 'Status' })
const tags = ['System']
const scrapeMs = 100

/** Health, metrics and documentation: at the root of every service, open to all, never limited. */
export const systemRoutes = (
  app: App,
  service: Service,
  ctx: Platform,
  { metrics, exchanges, lifecycle }: { metrics: Metrics; exchanges: Exchanges; lifecycle: Lifecycle },
) => {
  const config = { access: 'system' }
  const fixed = {
    ...fixedHeaders(ctx.config, ctx.config.urls[service.name]),
    'access-control-allow-origin': '*',
  }
  app.addHook('onRequest', (req, reply, done) => {
    exchanges.begin(req, reply)
    reply.headers(fixed).header('x-request-id', req.id)
    done()
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
    if (lifecycle.leaving) unavailable('This node is stopping')
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
  app.get('/metrics', { schema: { hide: true }, config }, async (_, reply) => {
    reply.header('content-type', metrics.contentType)
    return scrape()
  })

  const openapi = document(() => JSON.stringify(app.swagger()))
  app.get('/openapi.json', { schema: { hide: true }, config }, (req, reply) =>
    openapi(req, reply.header('content-type', 'application/json; charset=utf-8')),
  )

  const docs = document(() => renderReference(app.swagger() as never, { service: service.name }))
  app.get('/docs', { schema: { hide: true }, config }, (req, reply) => {
    reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', referenceCsp())
    return docs(req, reply)
  })
}

/** What never changes while the process lives: made when it is first asked for, and kept with its tag. */
const document = (make: () => string) => {
  let kept: { text: string; etag: string } | undefined
  return (req: FastifyRequest, reply: FastifyReply) => {
    if (!kept) {
      const text = make()
      kept = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    }
    reply.headers({ etag: kept.etag, 'cache-control': 'no-cache' })
    return req.headers['if-none-match'] === kept.etag ? reply.code(304).send() : reply.send(kept.text)
  }
}

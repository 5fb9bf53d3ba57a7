import { Type } from 'typebox'
import { AppError, unavailable } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { Exchanges } from './exchanges.ts'
import { fixedHeaders } from './headers.ts'
import type { Metrics } from './metrics.ts'
import { referenceCsp, renderReference } from './reference/reference.ts'
import type { App, Lifecycle, Service } from './service.ts'

const Status = Type.Object({ status: Type.String() }, { title: 'Status' })
const tags = ['System']

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
    schema: { operationId: 'getHealth', summary: 'Whether the process lives', tags, response: { 200: Status } },
    config,
  }, () => ({ status: 'ok' })) // biome-ignore format: as a table

  app.get('/readyz', {
    schema: { operationId: 'getReadiness', summary: 'Whether requests may be sent here: its database answers, and it is not stopping', tags, response: { 200: Status } },
    config,
  }, async () => {
    if (lifecycle.leaving) throw unavailable('This node is stopping')
    try {
      await ctx.db.sql`select 1`
    } catch (cause) {
      throw new AppError(503, 'The database is not available', { headers: { 'retry-after': '1' }, cause })
    }
    return { status: 'ready' }
  }) // biome-ignore format: as a table

  app.get('/metrics', { schema: { hide: true }, config }, async (_, reply) => {
    reply.header('content-type', metrics.contentType)
    return metrics.text()
  })

  app.get('/openapi.json', { schema: { hide: true }, config }, async () => app.swagger())

  let page: string | undefined
  app.get('/docs', { schema: { hide: true }, config }, async (_, reply) => {
    page ??= renderReference(app.swagger() as never, { service: service.name, nonce: '@nonce@' })
    const nonce = crypto.randomUUID()
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', referenceCsp(nonce))
    return page.replaceAll('@nonce@', nonce)
  })
}

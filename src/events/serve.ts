import type { ServiceName } from '#platform/config.ts'
import type { App } from '#platform/http/app.ts'
import type { ServiceModule } from '#platform/http/service.ts'
import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events, Reader } from './events.ts'
import { createEventLog } from './log.ts'
import { countEvents } from './metrics.ts'
import { createPump } from './pump.ts'
import { removeOldEvents } from './retention.ts'
import { eventRoutes } from './routes.ts'
import { createStreams } from './streams.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { createSender } from './webhooks/sender.ts'
import { switchedOffJob } from './webhooks/switch-off.ts'
import { createTargets } from './webhooks/target.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

/** After one of these there may be events. */
const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What a service with events has because of them: put the routes into its modules, and the jobs into its jobs. */
export const serveEvents = <Context extends Platform, Who extends Reader>(
  service: ServiceName,
  events: Events<Context, Who>,
) => {
  const routes: ServiceModule<Context, string, string> = (scope, ctx) => {
    const app = scope as unknown as App
    const log = createEventLog(service, ctx, events)
    const streams = createStreams(ctx, events, log)
    const pump = createPump(service, ctx, log.number)
    pump.add(streams)
    app.addHook('onResponse', (req, reply, done) => {
      if (writes.has(req.method) && reply.statusCode < 400) pump.written()
      done()
    })
    app.addHook('preClose', async () => streams.close())
    app.addHook('onClose', () => pump.close())
    const targets = createTargets(ctx.config)
    const sender = createSender(targets)
    const deliveries = createDeliveries(service, ctx, events, log, sender)
    pump.add(deliveries)
    app.addHook('preClose', () => deliveries.close())
    countEvents(app.metrics.registry, { streams, deliveries, now: () => ctx.clock.now() })
    eventRoutes(app, ctx, events, log, streams)
    webhookRoutes(app, ctx, service, events, createWebhooks(service, ctx, events, log, { targets, sender }))
  }
  const jobs = (ctx: Context): Job[] => [
    {
      name: `${service}.remove-old-events`,
      cron: '23 * * * *',
      run: () => removeOldEvents(ctx, service, events.parts?.of),
    },
    switchedOffJob(service, ctx, events),
  ]
  /** Managing webhooks without HTTP. */
  const webhooks = (ctx: Context) => {
    const targets = createTargets(ctx.config)
    const log = createEventLog(service, ctx, events)
    return createWebhooks(service, ctx, events, log, { targets, sender: createSender(targets) })
  }
  return { routes, jobs, webhooks }
}

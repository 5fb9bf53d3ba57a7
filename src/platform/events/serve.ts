import type { ServiceName } from '#platform/config.ts'
import type { App, ServiceModule } from '#platform/http/service.ts'
import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events, Reader } from './events.ts'
import { createEventLog } from './log.ts'
import { removeOldEvents } from './retention.ts'
import { eventRoutes } from './routes.ts'

/** What a service with events has because of them: put the routes into its modules, and the jobs into its jobs. */
export const serveEvents = <Context extends Platform, Who extends Reader>(
  service: ServiceName,
  events: Events<Context, Who>,
) => {
  const routes: ServiceModule<Context, string, string> = (scope, ctx) => {
    const app = scope as unknown as App
    const log = createEventLog(service, ctx, events)
    eventRoutes(app, ctx, events, log)
  }
  const jobs = (ctx: Context): Job[] => [
    { name: `${service}.remove-old-events`, cron: '23 * * * *', run: () => removeOldEvents(ctx, service) },
  ]
  return { routes, jobs }
}

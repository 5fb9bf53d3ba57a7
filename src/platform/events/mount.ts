import type { App } from '#platform/http/service.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events } from './events.ts'
import { createEventLog } from './log.ts'
import { eventRoutes } from './routes.ts'

/** Everything that a service with events serves because of them. */
export const mountEvents = <Context extends Platform>(
  app: App,
  service: string,
  ctx: Context,
  events: Events<Context>,
) => {
  const log = createEventLog(service, ctx, events)
  eventRoutes(app, ctx, events, log)
}

import type { FastifyRequest } from 'fastify'
import type { App } from '#platform/http/service.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events, Reader } from './events.ts'
import { typesOf } from './filter.ts'
import { EventId, fromWire, toWire } from './ids.ts'
import type { createEventLog } from './log.ts'
import { Event, EventQuery } from './schema.ts'

const description = (types: readonly string[]) =>
  'Returns what happened, oldest first. `after` continues after an event; `next` is the id to continue with, also if ' +
  'nothing new is there yet. Events are kept 30 days by default: if some that you could have read after that id have been ' +
  'removed, the response is 410, and its `after` is where to continue. With `Accept: text/event-stream` the response is a ' +
  'stream of Server-Sent Events that stays open; `Last-Event-ID` or `after` continues one, and without them only new events ' +
  `are sent.\n\nTypes: ${types.map((type) => `\`${type}\``).join(', ')}.`

/** Reading events, at every path that the service has for it. */
export const eventRoutes = <Context extends Platform, Who extends Reader>(
  app: App,
  ctx: Context,
  events: Events<Context, Who>,
  log: ReturnType<typeof createEventLog<Context, Who>>,
) => {
  const known = Object.keys(events.types)
  const { schema: page, wrap } = events.envelope.list('events', Event, { next: EventId })
  const wanted = ({ types, subject, after }: Partial<EventQuery>) => ({
    types: types === undefined ? null : typesOf(known, types.split(','), 'types'),
    subject: subject ?? null,
    after: after === undefined ? null : fromWire(after),
  })

  for (const { path, access, name, tags } of events.reading)
    app.get(
      path,
      {
        schema: {
          operationId: `list${name}`,
          summary: 'List events',
          description: description(known),
          tags,
          querystring: EventQuery,
          response: { 200: page },
        },
        config: { access, refuses: [410] },
      },
      async (req) => {
        const query = wanted(req.query)
        const reader = await events.reader(ctx, req as FastifyRequest)
        const { shown, next } = await log.read(reader, { ...query, limit: req.query.limit })
        const list = shown.filter((event) => event !== undefined).map((event) => JSON.parse(event) as object)
        return wrap(list, { next: toWire(next) })
      },
    )
}

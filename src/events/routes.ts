import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOf } from '#platform/addresses.ts'
import { invalid } from '#platform/errors.ts'
import type { App } from '#platform/http/app.ts'
import type { Platform } from '#platform/platform.ts'
import { Type } from '#platform/type/type.ts'
import type { Events, Reader } from './events.ts'
import { typesOf } from './filter.ts'
import { EventId, fromWire, isEventId, toWire } from './ids.ts'
import type { createEventLog } from './log.ts'
import { Event, EventQuery } from './schema.ts'
import type { Streams } from './streams.ts'

const description = (types: readonly string[]) =>
  'Returns what happened, oldest first. `after` continues after an event; `next` is the id to continue with, also if ' +
  'nothing new is there yet. Events are kept 30 days by default: if some that you could have read after that id have been ' +
  'removed, the response is 410, and its `after` is where to continue. With `Accept: text/event-stream` the response is a ' +
  'stream of Server-Sent Events that stays open; `Last-Event-ID` or `after` continues one, and without them only new events ' +
  `are sent.\n\nTypes: ${types.map((type) => `\`${type}\``).join(', ')}.`

type Wanted = { [Name in 'types' | 'subject' | 'after']?: string | undefined }

/** Reading events, at every path that the service has for it. */
export const eventRoutes = <Context extends Platform, Who extends Reader>(
  app: App,
  ctx: Context,
  events: Events<Context, Who>,
  log: ReturnType<typeof createEventLog<Context, Who>>,
  streams: Streams<Context, Who>,
) => {
  const known = Object.keys(events.types)
  const { schema: page, wrap } = events.envelope.list('events', Event, { next: EventId })
  const wanted = ({ types, subject, after }: Wanted) => ({
    types: types === undefined ? null : typesOf(known, types.split(','), 'types'),
    subject: subject ?? null,
    after: after === undefined ? null : fromWire(after),
  })

  const lastEventId = (req: FastifyRequest) => {
    const id = req.headers['last-event-id']
    if (id === undefined || id === '') return undefined
    return isEventId(String(id)) ? String(id) : invalid('Last-Event-ID', 'must be the id of an event')
  }

  /** The response is written past Fastify from here on, and does not count as a request in flight. */
  const stream = async (req: FastifyRequest, reply: FastifyReply) => {
    const query = req.query as Partial<EventQuery>
    const filter = wanted({ ...query, after: lastEventId(req) ?? query.after })
    const identify = () => events.reader(ctx, req)
    const reader = await identify()
    const start = await streams.prepare(reader, filter)
    reply.hijack()
    req.exchange.detach()
    const headers = reply.getHeaders()
    const address = clientOf(req.ip)
    streams.begin({ res: reply.raw, headers, reader, address, filter, identify, start })
  }

  for (const { path, access, name, tags, query: more = {} } of events.reading)
    app.get(
      path,
      {
        schema: {
          operationId: `list${name}`,
          summary: 'List events',
          description: description(known),
          tags,
          querystring: {
            ...EventQuery,
            properties: { ...EventQuery.properties, ...more },
          } as typeof EventQuery,
          response: {
            200: {
              description: 'A page of events, or a stream of them',
              content: {
                'application/json': { schema: page },
                'text/event-stream': { schema: Type.Unsafe<string>({ type: 'string' }) },
              },
            },
          },
        },
        config: { access, refuses: [410], reads: ['Last-Event-ID'] },
      },
      async (req, reply) => {
        if (req.method === 'GET' && wantsStream(req)) {
          await stream(req as FastifyRequest, reply as unknown as FastifyReply)
          return reply as never
        }
        const query = wanted(req.query)
        const reader = await events.reader(ctx, req as FastifyRequest)
        const { shown, next } = await log.read(reader, { ...query, limit: req.query.limit })
        const list = shown.filter((event) => event !== undefined).map((event) => JSON.parse(event) as object)
        return wrap(list, { next: toWire(next) })
      },
    )
}

const wantsStream = ({ headers }: { headers: { accept?: string | undefined } }) =>
  headers.accept?.includes('text/event-stream') ?? false

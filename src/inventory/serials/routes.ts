import { Type } from 'typebox'
import { Id, Named, PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { NewSerial, NewSerials, Serial, SerialQuery, Status } from './schema.ts'
import * as serials from './serials.ts'

const tags = ['Serials']
const read = { access: 'staff' } as const
const write = { access: 'manager', idempotent: true } as const
const bulkLimit = 8 * 1024 * 1024

export const serialRoutes: Module = (app, ctx) => {
  app.get(
    '/api/serials',
    {
      schema: {
        operationId: 'listSerials',
        summary: 'Serial numbers, newest first',
        tags,
        querystring: SerialQuery,
        response: { 200: Type.Object({ serials: Type.Array(Serial), ...pageFields }) },
      },
      config: read,
    },
    (req) => serials.listSerials(ctx, who(req), req.query),
  )

  app.get(
    '/api/serials/:id',
    {
      schema: {
        operationId: 'getSerial',
        summary: 'One serial number',
        tags,
        params: PathId,
        response: { 200: Serial },
      },
      config: read,
    },
    (req) => serials.readSerial(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/serials',
    {
      schema: {
        operationId: 'createSerial',
        summary: 'Take one unit into stock by its serial number',
        tags,
        body: NewSerial,
        response: { 201: Serial },
      },
      config: { ...write, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return serials.createSerial(ctx, who(req), req.body)
    },
  )

  app.post(
    '/api/serials/bulk',
    {
      bodyLimit: bulkLimit,
      schema: {
        operationId: 'createSerials',
        summary: 'Take many units into stock, all or none',
        tags,
        body: NewSerials,
        response: {
          201: Type.Object({ message: Type.String(), count: Type.Integer(), ids: Type.Array(Id) }),
        },
      },
      config: { ...write, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return serials.createSerials(ctx, who(req), req.body)
    },
  )

  app.patch(
    '/api/serials/:id',
    {
      schema: {
        operationId: 'changeSerial',
        summary: 'Reserve, release, sell, take back or scrap one unit',
        tags,
        params: PathId,
        body: Named('SerialChange', { status: Status }),
        response: { 200: Serial },
      },
      config: write,
    },
    (req) => serials.changeSerial(ctx, who(req), req.params.id, req.body.status),
  )
}

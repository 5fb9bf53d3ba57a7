import { Id, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { serialRefusals } from './refusals.ts'
import { NewSerial, NewSerials, Serial, SerialChange, SerialQuery, SerialTimeline } from './schema.ts'
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
        summary: 'List serial numbers',
        description:
          'Returns serial numbers, newest first. Filter by product, status and warehouse, search by number.',
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
        summary: 'Get a serial number',
        description: 'Returns a serial number with its product, its warehouse and its status.',
        tags,
        params: PathId,
        response: { 200: Serial },
      },
      config: read,
    },
    (req) => serials.readSerial(ctx, who(req), req.params.id),
  )

  app.get(
    '/api/serials/:id/timeline',
    {
      schema: {
        operationId: 'getSerialTimeline',
        summary: "Get a serial number's life",
        description:
          'Returns what happened to a unit, oldest first, and by whom: where it was received from, where it ' +
          'was moved, who it was shipped to, and how it came back.',
        tags,
        params: PathId,
        response: { 200: SerialTimeline },
      },
      config: read,
    },
    (req) => serials.readTimeline(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/serials',
    {
      schema: {
        operationId: 'createSerial',
        summary: 'Create a serial number',
        description:
          'Takes one unit of a serial-tracked product into stock by its serial number. A number that the ' +
          'product already has is refused with 409. Admins and Managers may do this.',
        tags,
        body: NewSerial,
        response: { 201: Serial },
      },
      config: { ...write, refuses: [404], created: '/api/serials/{id}' },
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
        summary: 'Create serial numbers',
        description:
          'Takes many units into stock by their serial numbers, all or none: one number that exists ' +
          'refuses the whole call with 409. Admins and Managers may do this.',
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
        summary: "Change a serial number's status",
        description:
          'Reserves, releases, sells, takes back or scraps one unit. Selling and scrapping take it out of ' +
          'stock with a movement, and coming back puts it in again. A move that the life cycle does not ' +
          'have is refused with 400. Admins and Managers may do this.',
        tags,
        params: PathId,
        body: SerialChange,
        response: { 200: Serial },
      },
      config: write,
    },
    (req) => serials.changeSerial(ctx, who(req), req.params.id, req.body),
  )
}
serialRoutes.refusals = serialRefusals

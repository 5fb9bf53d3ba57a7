import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import * as batches from './batches.ts'
import { batchRefusals } from './refusals.ts'
import { Batch, BatchChange, BatchQuery, ExpiringBatch, ExpiringQuery, NewBatch, Trace } from './schema.ts'

const tags = ['Batches']
const read = { access: 'staff' } as const

export const batchRoutes: Module = (app, ctx) => {
  app.get(
    '/api/batches',
    {
      schema: {
        operationId: 'listBatches',
        summary: 'List batches',
        description:
          'Returns batches, newest first or by expiry. Filter by product and warehouse, search by number. ' +
          '`expiring_days` returns those on hand that expire within so many days.',
        tags,
        querystring: BatchQuery,
        response: { 200: Type.Object({ batches: Type.Array(Batch), ...pageFields }) },
      },
      config: read,
    },
    (req) => batches.listBatches(ctx, who(req), req.query),
  )

  app.get(
    '/api/batches/expiring',
    {
      schema: {
        operationId: 'listExpiringBatches',
        summary: 'List expiring batches',
        description:
          'Returns batches on hand that expire within `days` (30 by default) or have already expired, the ' +
          'earliest first.',
        tags,
        querystring: ExpiringQuery,
        response: { 200: Type.Object({ batches: Type.Array(ExpiringBatch), ...pageFields }) },
      },
      config: read,
    },
    (req) => batches.listExpiring(ctx, who(req), req.query),
  )

  app.get(
    '/api/batches/:id',
    {
      schema: {
        operationId: 'getBatch',
        summary: 'Get a batch',
        description: 'Returns a batch with its dates and the units on hand.',
        tags,
        params: PathId,
        response: { 200: Batch },
      },
      config: read,
    },
    (req) => batches.readBatch(ctx, who(req), req.params.id),
  )

  app.get(
    '/api/batches/:id/trace',
    {
      schema: {
        operationId: 'traceBatch',
        summary: 'Trace a batch',
        description:
          'Returns where a batch came from and who has received units of it: its purchase orders, ' +
          'movements, orders and customers. Made for recalls.',
        tags,
        params: PathId,
        response: { 200: Trace },
      },
      config: read,
    },
    (req) => batches.traceBatch(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/batches',
    {
      schema: {
        operationId: 'createBatch',
        summary: 'Create a batch',
        description:
          'Adds a batch of a batch-tracked product; with a `quantity` it also adds that stock, to the ' +
          'default warehouse unless `warehouse_id` is given. For any other product it is refused with 400. ' +
          'Admins and Managers may do this.',
        tags,
        body: NewBatch,
        response: { 201: Batch },
      },
      config: { access: 'manager', idempotent: true, refuses: [404], created: '/api/batches/{id}' },
    },
    async (req, reply) => {
      reply.code(201)
      return batches.createBatch(ctx, who(req), req.body)
    },
  )

  app.patch(
    '/api/batches/:id',
    {
      schema: {
        operationId: 'changeBatch',
        summary: 'Change a batch',
        description:
          'Corrects the numbers, dates and notes of a batch; what is left out stays as it is. A number that ' +
          'another batch of the product has is refused with 409. Admins and Managers may do this.',
        tags,
        params: PathId,
        body: BatchChange,
        response: { 200: Batch },
      },
      config: { access: 'manager', idempotent: true, refuses: [409] },
    },
    (req) => batches.changeBatch(ctx, who(req), req.params.id, req.body),
  )
}
batchRoutes.refusals = batchRefusals

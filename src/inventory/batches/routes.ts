import { Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import * as batches from './batches.ts'
import { Batch, BatchQuery, ExpiringBatch, ExpiringQuery, NewBatch, Trace } from './schema.ts'

const tags = ['Batches']
const read = { access: 'staff' } as const

export const batchRoutes: Module = (app, ctx) => {
  app.get(
    '/api/batches',
    {
      schema: {
        operationId: 'listBatches',
        summary: 'Batches, newest first',
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
        summary: 'Batches on hand that expire soon or have expired, earliest first',
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
        summary: 'One batch',
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
        summary: 'Where a batch came from and who has it, for recalls',
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
        summary: 'Add a batch; with a quantity it comes with stock',
        tags,
        body: NewBatch,
        response: { 201: Batch },
      },
      config: { access: 'manager', idempotent: true, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return batches.createBatch(ctx, who(req), req.body)
    },
  )
}

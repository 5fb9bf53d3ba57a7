import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { notFound } from '#platform/errors.ts'
import { validatorCompiler } from '#platform/http/validation.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import type { Principal, Storage } from '../context.ts'
import { BothForms, type Shape } from '../dialect.ts'
import { copyObject, deleteObjects, moveObject } from './copying.ts'
import { recoverObject } from './objects.ts'
import { AnyObject, bucketIdOf, keyOf } from './routes.ts'
import * as shapes from './schema.ts'
import { restoreVersion } from './versions.ts'

const tags = ['Objects']

type Operation = {
  operationId: string
  summary: string
  body?: TSchema
  response: Record<number, TSchema>
  shape: Shape
  run(
    ctx: Storage,
    me: Principal,
    bucketId: string,
    key: string,
    body: never,
    reply: FastifyReply,
  ): Promise<unknown>
}

const relocated = { 200: AnyObject, 201: AnyObject }

/** What can be done with an object: the last segment of the address says which. */
const operations: Record<string, Operation> = {
  recover: {
    operationId: 'recoverObject',
    summary: 'Bring back what was deleted',
    response: { 200: BothForms(shapes.Recovered, shapes.RecoveredR) },
    shape: 'objectOutcome',
    run: async (ctx, me, bucketId, key) => ({
      recovered: true,
      object: await recoverObject(ctx, me, bucketId, key),
    }),
  },
  copy: {
    operationId: 'copyObject',
    summary: 'Copy an object; no bytes are rewritten',
    body: shapes.Destination,
    response: relocated,
    shape: 'object',
    run: async (ctx, me, bucketId, key, body, reply) => {
      const { object, created } = await copyObject(ctx, me, bucketId, key, body)
      reply.code(created ? 201 : 200)
      return object
    },
  },
  move: {
    operationId: 'moveObject',
    summary: 'Move or rename an object; no bytes are rewritten',
    body: shapes.Destination,
    response: relocated,
    shape: 'object',
    run: async (ctx, me, bucketId, key, body, reply) => {
      const { object, created } = await moveObject(ctx, me, bucketId, key, body)
      reply.code(created ? 201 : 200)
      return object
    },
  },
  restore: {
    operationId: 'restoreVersion',
    summary: 'Make an earlier version the current content',
    body: shapes.VersionChoice,
    response: { 201: AnyObject },
    shape: 'object',
    run: async (ctx, me, bucketId, key, body: { versionId: string }, reply) => {
      reply.code(201)
      return restoreVersion(ctx, me, bucketId, key, body.versionId)
    },
  },
}

export const objectActions: Module = (app, ctx) => {
  app.post(
    '/buckets/:bucketId/objects/delete',
    {
      schema: {
        operationId: 'deleteObjects',
        summary: 'Delete up to 1000 objects at once',
        description:
          'Each key is deleted by itself, in a transaction of its own: the answer tells which were and which were ' +
          'not. After a 503, or no answer at all, some may be deleted; sending the same again deletes the rest.',
        tags,
        params: BucketPath,
        body: shapes.KeyList,
        response: { 200: shapes.BatchResult },
      },
      config: { access: 'bucket.use', partOfWildcard: true },
    },
    (req) => deleteObjects(ctx, who(req), req.params.bucketId, req.body.keys),
  )

  for (const [name, { operationId, summary, body, response, shape, run }] of Object.entries(operations)) {
    const suffix = `/${name}`
    app.post(
      `/buckets/:bucketId/objects/:objectKey${suffix}`,
      {
        schema: {
          operationId,
          summary,
          tags,
          params: shapes.ObjectPath,
          ...(body ? { body } : {}),
          response,
        },
        config: { access: 'bucket.use', shape, partOfWildcard: true, idempotent: true },
      },
      async (req, reply) =>
        run(ctx, who(req), bucketIdOf(req), keyOf(req, suffix), req.body as never, reply) as never,
    )
  }

  // Keys with slashes: the same operations behind one wildcard, which cannot have anything after it.
  const checks = new Map(
    Object.entries(operations).map(([name, { body }]) => [
      name,
      body && validatorCompiler({ schema: body, httpPart: 'body' } as never),
    ]),
  )
  app.post(
    '/buckets/:bucketId/objects/*',
    {
      schema: { hide: true, params: BucketPath, body: Type.Unknown() },
      config: { access: 'bucket.use', idempotent: true },
    },
    async (req: FastifyRequest, reply: FastifyReply) => {
      const name = /\/([a-z]+)(?:\?.*)?$/s.exec(req.raw.url ?? '')?.[1] ?? ''
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
      if (!operation) return notFound()
      const checked = checks.get(name)?.(req.body) as { error?: Error } | undefined
      if (checked?.error) throw checked.error
      req.shape = operation.shape
      return operation.run(ctx, who(req), bucketIdOf(req), keyOf(req, `/${name}`), req.body as never, reply)
    },
  )
}

import { notFound } from '#platform/errors.ts'
import { validatorCompiler } from '#platform/http/request/validation.ts'
import { type TSchema, Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import type { Principal, Storage } from '../context.ts'
import { BothForms, type Shape } from '../dialect.ts'
import { deleteObjects, recoverObject } from './delete/delete.ts'
import type { ObjectRef } from './key.ts'
import { refOf } from './paths.ts'
import * as shapes from './schema.ts'
import { restoreVersion } from './versions/restore.ts'
import { copyObject, moveObject } from './write/copy.ts'

const tags = ['Objects']

type Operation = {
  operationId: string
  summary: string
  description: string
  body?: TSchema
  response: Record<number, TSchema>
  shape: Shape
  run(ctx: Storage, me: Principal, ref: ObjectRef, body: never): Promise<{ status: number; payload: unknown }>
}

const createdOrReplaced = { 200: shapes.AnyObject, 201: shapes.AnyObject }
const writtenOutcome = ({ object, created }: { object: object; created: boolean }) => ({
  status: created ? 201 : 200,
  payload: object,
})

/** What can be done with an object, by the last segment of the URL. */
const operations: Record<string, Operation> = {
  recover: {
    operationId: 'recoverObject',
    summary: 'Recover a deleted object',
    description:
      'Brings a deleted object back under its key. If a live object has taken the key in the meantime, the ' +
      'request is refused with 409. Objects can be recovered until they are purged, 30 days after their ' +
      'deletion by default.',
    response: { 200: BothForms(shapes.Recovered, shapes.RecoveredR) },
    shape: 'objectOutcome',
    run: async (ctx, me, ref) => {
      const object = await recoverObject(ctx, me, ref)
      return { status: 200, payload: { recovered: true, object } }
    },
  },
  copy: {
    operationId: 'copyObject',
    summary: 'Copy an object',
    description:
      'Copies an object to another key, in the same bucket or in another one of the organization, with its ' +
      'content type and metadata. No bytes are rewritten, but the copy counts its full size towards the ' +
      'quotas. Returns 200 when it replaces an object at the destination, otherwise 201.',
    body: shapes.Destination,
    response: createdOrReplaced,
    shape: 'object',
    run: async (ctx, me, ref, to) => writtenOutcome(await copyObject(ctx, me, ref, to)),
  },
  move: {
    operationId: 'moveObject',
    summary: 'Move or rename an object',
    description:
      'Moves an object to another key, in the same bucket or in another one of the organization. No bytes ' +
      'are rewritten. Returns 200 when it replaces an object at the destination, otherwise 201.',
    body: shapes.Destination,
    response: createdOrReplaced,
    shape: 'object',
    run: async (ctx, me, ref, to) => writtenOutcome(await moveObject(ctx, me, ref, to)),
  },
  restore: {
    operationId: 'restoreVersion',
    summary: 'Restore a version',
    description:
      'Makes an earlier version the current content of its key. The content that it replaces stays ' +
      'available as a version. Find the `versionId` by listing the versions of the object.',
    body: shapes.VersionChoice,
    response: { 201: shapes.AnyObject },
    shape: 'object',
    run: async (ctx, me, ref, { versionId }: { versionId: string }) => ({
      status: 201,
      payload: await restoreVersion(ctx, me, { ...ref, versionId }),
    }),
  },
}

export const objectActions: Module = (app, ctx) => {
  app.post(
    '/buckets/:bucketId/objects/delete',
    {
      schema: {
        operationId: 'deleteObjects',
        summary: 'Delete several objects',
        description:
          'Deletes up to 1000 objects in one call. Each key is deleted in a transaction of its own, and ' +
          'the response lists which were deleted and which were not. After a 503, or no response at all, ' +
          'some may be deleted; sending the same request again deletes the rest.',
        tags,
        params: BucketPath,
        body: shapes.KeyList,
        response: { 200: shapes.BatchResult },
      },
      config: { access: 'bucket.use', partOfWildcard: true },
    },
    (req) => deleteObjects(ctx, who(req), req.params.bucketId, req.body.keys),
  )

  for (const [name, { body, response, shape, run, ...texts }] of Object.entries(operations)) {
    const suffix = `/${name}`
    app.post(
      `/buckets/:bucketId/objects/:objectKey${suffix}`,
      {
        schema: {
          ...texts,
          tags,
          params: shapes.ObjectPath,
          ...(body ? { body } : {}),
          response,
        },
        config: {
          access: 'bucket.use',
          shape,
          partOfWildcard: true,
          idempotent: true,
          created: shapes.objectUrl,
        },
      },
      async (req, reply) => {
        const { status, payload } = await run(ctx, who(req), refOf(req, suffix), req.body as never)
        reply.code(status as never)
        return payload as never
      },
    )
  }

  // Keys with slashes: the same operations behind one wildcard, which nothing can follow in a route.
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
      config: { access: 'bucket.use', idempotent: true, created: shapes.objectUrl },
    },
    async (req, reply) => {
      const name = /\/([a-z]+)(?:\?.*)?$/s.exec(req.raw.url ?? '')?.[1] ?? ''
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
      if (!operation)
        return notFound(`What to do with an object must be one of ${Object.keys(operations).join(', ')}`)
      const checked = checks.get(name)?.(req.body) as { error?: Error } | undefined
      if (checked?.error) throw checked.error
      req.shape = operation.shape
      const { status, payload } = await operation.run(
        ctx,
        who(req),
        refOf(req, `/${name}`),
        req.body as never,
      )
      reply.code(status)
      return payload
    },
  )
}

import { writeConditions } from '#platform/http/response/conditional.ts'
import { documentRead, documentWrite, unlessKnown, withTag } from '#platform/http/response/document.ts'
import { notModified } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { getLifecycle, replaceLifecycle } from './lifecycle.ts'
import { Lifecycle, NewLifecycle } from './schema.ts'

const tags = ['Lifecycle']
const url = '/buckets/:bucketId/lifecycle'

export const lifecycle: Module = (app, ctx) => {
  app.get(
    url,
    {
      schema: {
        operationId: 'getLifecycle',
        summary: "Get a bucket's lifecycle rules",
        description:
          'Returns the rules by which objects, old versions and unfinished uploads of a bucket go by ' +
          'themselves. A new bucket has one: what was deleted or replaced is removed for good after 30 days ' +
          'by default, and unfinished uploads fail after 7.',
        tags,
        params: BucketPath,
        response: { 200: Lifecycle, 304: notModified },
      },
      config: { access: 'bucket.use', ...documentRead },
    },
    async (req, reply) => {
      const lifecycle = await getLifecycle(ctx, who(req), req.params.bucketId)
      return unlessKnown(req, reply, lifecycle.rules, lifecycle)
    },
  )

  app.put(
    url,
    {
      schema: {
        operationId: 'replaceLifecycle',
        summary: "Replace a bucket's lifecycle rules",
        description:
          'Replaces all rules of a bucket, also the one that it began with. A rule is about keys that begin ' +
          'with its `prefix`, and objects that have all of its `tags` and a size within its bounds; if ' +
          'several apply, the first that is due decides. `expiration_days` and `expiration_date` delete ' +
          'objects, which then can be recovered until `noncurrent_days` have passed. Days are counted to ' +
          'the next midnight in UTC; those of uploads to the minute. Rules are applied to what is stored ' +
          "already, too. Owners and admins may do this unless the bucket's policy says otherwise. With " +
          '`If-Match` and the `ETag` of the rules that were read, what somebody else has saved since is not ' +
          'replaced.',
        tags,
        params: BucketPath,
        body: NewLifecycle,
        response: { 200: Lifecycle },
      },
      config: { access: 'bucket.use', ...documentWrite },
    },
    async (req, reply) => {
      const conditions = writeConditions(req.headers)
      const saved = await replaceLifecycle(ctx, who(req), req.params.bucketId, req.body.rules, conditions)
      return withTag(reply, saved.rules, saved)
    },
  )

  app.delete(
    url,
    {
      schema: {
        operationId: 'deleteLifecycle',
        summary: "Delete a bucket's lifecycle rules",
        description:
          'Removes all rules, also the one that the bucket began with: nothing in it goes by itself any ' +
          'more, and deleted objects can be recovered forever.',
        tags,
        params: BucketPath,
        response: {
          200: Type.Object({ deleted: Type.Boolean(), requestId: Type.Optional(Type.String()) }),
        },
      },
      config: { access: 'bucket.use', reads: ['If-Match'], refuses: [412] },
    },
    async (req) => {
      await replaceLifecycle(ctx, who(req), req.params.bucketId, [], writeConditions(req.headers))
      return { deleted: true }
    },
  )
}

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
        response: { 200: Lifecycle },
      },
      config: { access: 'bucket.use' },
    },
    (req) => getLifecycle(ctx, who(req), req.params.bucketId),
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
          "already, too. Owners and admins may do this unless the bucket's policy says otherwise.",
        tags,
        params: BucketPath,
        body: NewLifecycle,
        response: { 200: Lifecycle },
      },
      config: { access: 'bucket.use' },
    },
    (req) => replaceLifecycle(ctx, who(req), req.params.bucketId, req.body.rules),
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
      config: { access: 'bucket.use' },
    },
    async (req) => {
      await replaceLifecycle(ctx, who(req), req.params.bucketId, [])
      return { deleted: true }
    },
  )
}

import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { BucketPath } from '../buckets/schema.ts'
import { Answer, Question } from '../policies/schema.ts'
import { deleteBucket } from './delete-bucket.ts'
import { simulatePolicy } from './simulate-policy.ts'

/** What is done to a bucket with knowledge of its contents, and so stands above objects and uploads. */
export const bucketAdmin: Module = (app, ctx) => {
  app.delete(
    '/buckets/:bucketId',
    {
      schema: {
        operationId: 'deleteBucket',
        summary: 'Delete a bucket',
        description:
          'Deletes a bucket that holds no live objects; one that does is refused with 409. Deleted objects ' +
          "and old versions in it are removed for good. Owners and admins may do this unless the bucket's " +
          'policy says otherwise.',
        tags: ['Buckets'],
        params: BucketPath,
        response: {
          200: Type.Object({ deleted: Type.Boolean(), requestId: Type.Optional(Type.String()) }),
        },
      },
      config: { access: 'bucket.use', refuses: [409] },
    },
    async (req) => {
      await deleteBucket(ctx, who(req), req.params.bucketId)
      return { deleted: true }
    },
  )

  app.post(
    '/buckets/:bucketId/policy/simulate',
    {
      schema: {
        operationId: 'simulatePolicy',
        summary: 'Simulate a policy decision',
        description:
          'Returns whether a subject would be allowed an action on the bucket or on one of its objects, ' +
          'and which statement or role decided. With `statements`, these are tried instead of the saved ' +
          'policy, so that a policy can be tested before it is in force. Nothing is changed or recorded.',
        tags: ['Policies'],
        params: BucketPath,
        body: Question,
        response: { 200: Answer },
      },
      config: { access: 'bucket.use' },
    },
    (req) => simulatePolicy(ctx, who(req), req.params.bucketId, req.body),
  )
}

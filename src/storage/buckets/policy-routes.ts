import { invalid } from '#platform/errors.ts'
import { writeConditions } from '#platform/http/response/conditional.ts'
import { documentRead, documentWrite, unlessKnown, withTag } from '#platform/http/response/document.ts'
import { notModified } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { dialectOf } from '../dialect.ts'
import { NewPolicy, PolicyStatement } from '../policies/schema.ts'
import { changePolicy, checkStatements, getPolicy } from './policy.ts'
import { AnyBucket, BucketPath } from './schema.ts'

const tags = ['Policies']
const Statements = Type.Array(PolicyStatement)

export const policies: Module = (app, ctx) => {
  app.get(
    '/buckets/:bucketId/policy',
    {
      schema: {
        operationId: 'getPolicy',
        summary: "Get a bucket's policy",
        description:
          'Returns the policy statements of a bucket, an empty array if it has none. Owners and admins may ' +
          'read policies; the owner can never be denied this.',
        tags,
        params: BucketPath,
        response: { 200: Statements, 304: notModified },
      },
      config: { access: 'bucket.use', ...documentRead },
    },
    async (req, reply) => {
      const policy = await getPolicy(ctx, who(req), req.params.bucketId)
      return unlessKnown(req, reply, policy, policy)
    },
  )

  app.put(
    '/buckets/:bucketId/policy',
    {
      schema: {
        operationId: 'replacePolicy',
        summary: "Replace a bucket's policy",
        description:
          "Replaces all statements of the bucket's policy, or, in Form R, sets its visibility. A matching " +
          '`deny` wins over any `allow`, whatever their order; where no statement matches, the role ' +
          'decides. An unknown condition, or a statement that names a user or key that does not exist, is ' +
          'refused with 400. The owner always keeps `policy.read` and `policy.write`. With `If-Match` and ' +
          'the `ETag` of the policy that was read, what somebody else has saved since is not replaced.',
        tags,
        params: BucketPath,
        body: NewPolicy,
        response: { 200: { anyOf: [Statements, AnyBucket] } },
      },
      config: { access: 'bucket.use', onlyFormR: ['visibility'], ...documentWrite },
    },
    async (req, reply) => {
      const { statements, visibility } = req.body
      if (!statements && !visibility)
        invalid(dialectOf(req) === 'S' ? 'statements' : 'visibility', 'is required')
      const { policy, bucket } = await changePolicy(ctx, who(req), req.params.bucketId, {
        statements: statements && checkStatements(statements),
        visibility,
        conditions: writeConditions(req.headers),
      })
      if (dialectOf(req) === 'S') return withTag(reply, policy, policy)
      req.shape = 'bucket'
      return withTag(reply, policy, bucket)
    },
  )
}

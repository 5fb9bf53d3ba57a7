import { Type } from 'typebox'
import { invalid } from '#platform/errors.ts'
import { type Module, who } from '../access.ts'
import { changePolicy, getPolicy } from '../buckets/buckets.ts'
import { AnyBucket } from '../buckets/routes.ts'
import { BucketPath } from '../buckets/schema.ts'
import { formOf } from '../dialect.ts'
import { checkStatements, simulate } from './policies.ts'
import { Answer, NewPolicy, PolicyStatement, Question } from './schema.ts'

const tags = ['Policies']
const Statements = Type.Array(PolicyStatement)

export const policies: Module = (app, ctx) => {
  app.get(
    '/buckets/:bucketId/policy',
    {
      schema: {
        operationId: 'getPolicy',
        summary: 'The statements of a bucket',
        tags,
        params: BucketPath,
        response: { 200: Statements },
      },
      config: { access: 'bucket.use' },
    },
    (req) => getPolicy(ctx, who(req), req.params.bucketId),
  )

  app.put(
    '/buckets/:bucketId/policy',
    {
      schema: {
        operationId: 'replacePolicy',
        summary: 'Replace the statements (Form S), or set the visibility (Form R)',
        tags,
        params: BucketPath,
        body: NewPolicy,
        response: { 200: { anyOf: [Statements, AnyBucket] } },
      },
      config: { access: 'bucket.use', onlyFormR: ['visibility'] },
    },
    async (req) => {
      const { statements, visibility } = req.body
      if (!statements && !visibility)
        invalid(formOf(req) === 'S' ? 'statements' : 'visibility', 'is required')
      const change = { statements: statements && checkStatements(statements), visibility }
      const { policy, bucket } = await changePolicy(ctx, who(req), req.params.bucketId, change)
      if (formOf(req) === 'S') return policy
      req.shape = 'bucket'
      return bucket
    },
  )

  app.post(
    '/buckets/:bucketId/policy/simulate',
    {
      schema: {
        operationId: 'simulatePolicy',
        summary: 'Who would be allowed what, and why',
        tags,
        params: BucketPath,
        body: Question,
        response: { 200: Answer },
      },
      config: { access: 'bucket.use' },
    },
    async (req) => {
      const decision = await simulate(ctx, who(req), req.params.bucketId, req.body)
      const { allowed, reason, statement } = decision
      const statements = statement === null ? [] : await getPolicy(ctx, who(req), req.params.bucketId)
      return {
        decision: allowed ? ('allow' as const) : ('deny' as const),
        reason,
        statement: statements[statement ?? 0] ?? null,
      }
    },
  )
}

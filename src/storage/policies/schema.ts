import { Named, Nullable, OneOf, Text } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const maxStatements = 200
/** As in S3. Everything that a request does in a bucket is compared with its policy. */
export const maxPolicyBytes = 20 * 1024

/** As in the contract, in the order a sentence would have. */
export const PolicyStatement = Named('PolicyStatement', {
  effect: OneOf(['allow', 'deny']),
  action: Text(1, 64, { description: 'Such as `object.read`; `object.*` and `*` work too' }),
  resourceType: OneOf(['bucket', 'object']),
  resourceId: Text(1, 1024, {
    description: 'An id, a bucket name or a key; `*` stands for any run of characters',
  }),
  subjectType: OneOf(['user', 'role', 'api_key']),
  subjectId: Text(1, 255, { description: 'An id, a role (also `anonymous`), or `*`' }),
  conditions: Type.Optional(
    Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'All must hold: `ipCidr`, `notIpCidr`, `notBefore`, `expiresAt`, `prefix`, `contentType`, `maxSizeBytes`',
      }),
    ),
  ),
})
export type PolicyStatement = Type.Static<typeof PolicyStatement>

const statements = (description: string) =>
  Type.Optional(Type.Array(PolicyStatement, { maxItems: maxStatements, description }))

export const NewPolicy = Named('NewPolicy', {
  statements: statements('Form S: replaces the policy'),
  visibility: Type.Optional(OneOf(['private', 'public'], { description: 'Form R' })),
})
export type NewPolicy = Type.Static<typeof NewPolicy>

export const Question = Named('PolicyQuestion', {
  action: Text(1, 64),
  objectKey: Type.Optional(Nullable(Text(1, 1024))),
  subjectType: OneOf(['user', 'role', 'api_key']),
  subjectId: Text(1, 255),
  statements: statements('A policy to try instead of the saved one; it is not stored'),
})
export type Question = Type.Static<typeof Question>

export const Answer = Named('PolicyAnswer', {
  decision: OneOf(['allow', 'deny']),
  reason: Type.String(),
  statement: Type.Unsafe<PolicyStatement | null>({ anyOf: [PolicyStatement, { type: 'null' }] }),
  requestId: Type.Optional(Type.String()),
})

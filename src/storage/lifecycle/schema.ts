import { Named, Nullable, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const maxRules = 1000
export const maxTags = 10
export const maxNewerVersions = 100
/** The largest that S3 accepts. */
export const maxDays = 2 ** 31 - 1

const Days = (description: string) => Nullable(Type.Integer({ minimum: 1, maximum: maxDays, description }))
const Bytes = (description: string) =>
  Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER - 1, description }))

const fields = {
  prefix: Text(0, 1024, { description: 'The rule is about keys that begin with it' }),
  tags: Type.Record(Type.String(), Type.String({ maxLength: 256 }), {
    maxProperties: maxTags,
    propertyNames: { type: 'string', minLength: 1, maxLength: 128 },
    description: 'The rule is about objects that have all of these',
  }),
  min_size_bytes: Bytes('The smallest size that the rule is about'),
  max_size_bytes: Bytes('The largest size that the rule is about'),
  expiration_days: Days('Objects are deleted this many days after their content was stored'),
  expiration_date: Nullable(
    Type.String({ format: 'date-time', description: 'Objects are deleted from then on; at midnight UTC' }),
  ),
  expired_delete_markers: Type.Boolean({
    description: 'Deleted objects of which no version is left are removed',
  }),
  noncurrent_days: Days('Old versions and deleted objects are removed for good this many days later'),
  newer_noncurrent_versions: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: maxNewerVersions,
      description: 'But this many of the newest ones are kept',
    }),
  ),
  abort_uploads_days: Days('Multipart uploads that are not completed in this many days fail'),
}

/** A rule as it is stored and returned: every field is there. */
export const LifecycleRule = Named('LifecycleRule', {
  id: Type.String(),
  enabled: Type.Boolean(),
  ...fields,
  expiration_date: Nullable(Time),
})
export type LifecycleRule = Type.Static<typeof LifecycleRule>

const NewLifecycleRule = Named('NewLifecycleRule', {
  id: Type.Optional(Nullable(Text(1, 255, { description: 'Unique among the rules; made up if not given' }))),
  enabled: Type.Boolean({ default: true }),
  prefix: Type.Optional(Nullable(fields.prefix)),
  tags: Type.Optional(Nullable(fields.tags)),
  min_size_bytes: Type.Optional(fields.min_size_bytes),
  max_size_bytes: Type.Optional(fields.max_size_bytes),
  expiration_days: Type.Optional(fields.expiration_days),
  expiration_date: Type.Optional(fields.expiration_date),
  expired_delete_markers: Type.Optional(Nullable(fields.expired_delete_markers)),
  noncurrent_days: Type.Optional(fields.noncurrent_days),
  newer_noncurrent_versions: Type.Optional(fields.newer_noncurrent_versions),
  abort_uploads_days: Type.Optional(fields.abort_uploads_days),
})
export type NewLifecycleRule = Type.Static<typeof NewLifecycleRule>

export const Lifecycle = Named('Lifecycle', {
  rules: Type.Array(LifecycleRule),
  requestId: Type.Optional(Type.String()),
})

export const NewLifecycle = Named('NewLifecycle', {
  rules: Type.Array(NewLifecycleRule, { maxItems: maxRules }),
})

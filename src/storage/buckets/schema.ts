import { Named, Nullable, OneOf, Pattern, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { BothForms } from '../dialect.ts'

const visibility = ['private', 'public'] as ['private', 'public']

export const Bucket = Named('Bucket', {
  id: Uuid,
  name: Type.String(),
  visibility: OneOf(visibility),
  versioning_enabled: Type.Boolean(),
  region: Type.String(),
  storage_quota_bytes: Nullable(Type.Integer()),
  object_count: Type.Integer(),
  total_size_bytes: Type.Integer(),
  created_at: Time,
})

export const BucketR = Named('BucketR', {
  id: Uuid,
  name: Type.String(),
  visibility: OneOf(visibility),
  storageUsedBytes: Type.Integer(),
  createdAt: Time,
  requestId: Type.Optional(Type.String()),
})

const Quota = Nullable(
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'null: no quota of its own' }),
)

/** A bucket in the form that the client speaks. */
export const AnyBucket = BothForms(Bucket, BucketR)

export const NewBucket = Named('NewBucket', {
  name: Text(3, 255, Pattern('^[a-z0-9.-]+$', 'can only have lowercase letters, digits, dots and hyphens')),
  visibility: OneOf(visibility, { default: 'private' }),
  versioningEnabled: Type.Boolean({ default: true }),
  region: Text(2, 64, { default: 'local' }),
  storageQuotaBytes: Type.Optional(Quota),
})
export type NewBucket = Type.Static<typeof NewBucket>

export const BucketChange = Named('BucketChange', {
  visibility: Type.Optional(OneOf(visibility)),
  versioningEnabled: Type.Optional(Type.Boolean()),
  storageQuotaBytes: Type.Optional(Quota),
})
export type BucketChange = Type.Static<typeof BucketChange>

export const BucketPath = Type.Object({ bucketId: Uuid })

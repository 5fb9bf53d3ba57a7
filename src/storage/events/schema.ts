import { Named, OneOf, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { StoredObject } from '../objects/schema.ts'
import { PolicyStatement } from '../policies/schema.ts'

const fields = StoredObject.properties

/** Objects with the reason of the event. In Form R the names are those of Form R, and `bucketId` is among them. */
export const CreatedObject = Named('CreatedObject', {
  ...fields,
  reason: OneOf(['upload', 'copy', 'multipart', 'restored']),
})
export const UpdatedObject = Named('UpdatedObject', {
  ...fields,
  reason: OneOf(['overwritten', 'restored', 'moved', 'tagged']),
  previous: Type.Optional(
    Type.Object(
      { bucket_id: Uuid, object_key: Type.String() },
      { description: 'Where a moved object was, if you may read there' },
    ),
  ),
})
export const PurgedObject = Named('PurgedObject', {
  ...fields,
  reason: Type.Optional(
    OneOf(['replaced'], { description: 'Another object of its key has taken over its contents' }),
  ),
})

export const ChangedPolicy = Named('ChangedPolicy', {
  bucket_id: Uuid,
  statements: Type.Array(PolicyStatement),
})

export const QuotaWarning = Named('QuotaWarning', {
  kind: OneOf(['storage', 'bandwidth']),
  percent: Type.Unsafe<80 | 95>({ type: 'integer', enum: [80, 95] }),
  used_bytes: Type.Integer(),
  quota_bytes: Type.Integer(),
})

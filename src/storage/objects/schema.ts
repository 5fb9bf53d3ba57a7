import { Named, Nullable, Pattern, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { BothForms } from '../dialect.ts'

export const Metadata = Type.Record(Type.String(), Type.String(), { description: 'Custom pairs' })

/** As it will be compared with, or sent as, a header. */
export const MediaType = (description: string) =>
  Text(1, 255, {
    ...Pattern('^[!-.0-~]+/[!-~][ -~]*$', 'must be a media type, such as image/png'),
    description,
  })

const KeptHeader = (name: string) =>
  Type.Optional(Nullable(Text(0, 1024, { description: `\`${name}\` of downloads` })))

/** Headers that are kept with an object, where an upload is described by JSON. */
export const KeptHeaderFields = {
  cacheControl: KeptHeader('Cache-Control'),
  contentDisposition: KeptHeader('Content-Disposition'),
  contentEncoding: KeptHeader('Content-Encoding'),
  contentLanguage: KeptHeader('Content-Language'),
}

const ExpiresAt = (which: string) =>
  Type.Optional(
    Nullable(
      Type.String({
        format: 'date-time',
        description: `In lists, of ${which}: when it goes for good by the rules of its bucket; null: never`,
      }),
    ),
  )

export const StoredObject = Named('Object', {
  id: Uuid,
  bucket_id: Uuid,
  object_key: Type.String(),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  etag: Type.String(),
  is_deleted: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
  metadata: Metadata,
  expires_at: ExpiresAt('deleted objects'),
})

const StoredObjectR = Named('ObjectR', {
  id: Uuid,
  objectKey: Type.String(),
  sizeBytes: Type.Integer(),
  contentType: Type.String(),
  etag: Type.String(),
  createdAt: Time,
  updatedAt: Type.Optional(Type.String({ format: 'date-time', description: 'In lists' })),
  metadata: Metadata,
  isDeleted: Type.Boolean(),
  expiresAt: ExpiresAt('deleted objects'),
  requestId: Type.Optional(Type.String()),
})

/** An object in the form that the client speaks. */
export const AnyObject = BothForms(StoredObject, StoredObjectR)

const requestId = Type.Optional(Type.String())

export const ObjectList = Type.Array(StoredObject)
export const ObjectListR = Named('ObjectListR', {
  total: Type.Optional(Type.Integer({ description: 'Not with `count=false`' })),
  objects: Type.Array(StoredObjectR),
  folders: Type.Optional(Type.Array(Type.String({ description: 'Ends with the delimiter' }))),
  nextCursor: Nullable(Type.String()),
  requestId,
})

export const Deleted = Named('DeletedObject', { deleted: Type.Boolean(), object: StoredObject })
export const DeletedR = Named('DeletedObjectR', {
  deleted: Type.Boolean(),
  object: StoredObjectR,
  requestId,
})
export const Recovered = Named('RecoveredObject', { recovered: Type.Boolean(), object: StoredObject })
export const RecoveredR = Named('RecoveredObjectR', {
  recovered: Type.Boolean(),
  object: StoredObjectR,
  requestId,
})

const Checksum = Nullable(
  Named('Checksum', {
    algorithm: Type.String({ examples: ['SHA256'] }),
    value: Type.String({
      description: 'In Base64',
      examples: ['LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='],
    }),
    type: Type.String({
      description: '`FULL_OBJECT`, or `COMPOSITE`: of the checksums of its parts',
      examples: ['FULL_OBJECT'],
    }),
  }),
)

export const Version = Named('Version', {
  version_id: Uuid,
  object_key: Type.String(),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  etag: Type.String(),
  is_current: Type.Boolean(),
  created_at: Time,
  checksum: Type.Optional(Checksum),
  expires_at: ExpiresAt('old versions'),
})
export const VersionListR = Named('VersionListR', {
  total: Type.Integer(),
  versions: Type.Array(
    Named('VersionR', {
      versionId: Uuid,
      objectKey: Type.String(),
      contentType: Type.String(),
      sizeBytes: Type.Integer(),
      etag: Type.String(),
      isCurrent: Type.Boolean(),
      createdAt: Time,
      expiresAt: ExpiresAt('old versions'),
    }),
  ),
  requestId,
})

export const ListQuery = Type.Object({
  prefix: Type.Optional(Text(0, 1024)),
  search: Type.Optional(Text(0, 1024, { description: 'A part of the key' })),
  delimiter: Type.Optional(Text(0, 64, { description: 'Groups deeper keys into folders, such as `/`' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 1000; Form R: 100 if not given' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  cursor: Type.Optional(Text(1, 8192, { description: 'From `X-Next-Cursor` of the page before' })),
  includeDeleted: Type.Optional(Type.Boolean()),
  count: Type.Optional(
    Type.Boolean({ description: 'Form R: `false` leaves out the total, which takes time in a large folder' }),
  ),
})
export type ListQuery = Type.Static<typeof ListQuery>

export const Destination = Named('Destination', {
  destinationKey: Text(1, 1024),
  destinationBucketId: Type.Optional(Nullable(Uuid)),
})
export type Destination = Type.Static<typeof Destination>

export const VersionChoice = Named('VersionChoice', { versionId: Uuid })

export const KeyList = Named('KeyList', {
  keys: Type.Array(Text(1, 1024), { minItems: 1, maxItems: 1000 }),
})
export const BatchResult = Named('BatchResult', {
  deleted: Type.Array(Type.String()),
  errors: Type.Array(Type.Object({ key: Type.String(), message: Type.String() })),
  requestId,
})

export const ObjectBatch = Named('ObjectBatch', {
  objects: Type.Array(
    Named('ObjectInBatch', {
      // One wrong name or type refuses one object, not all of them.
      key: Type.String({ description: '1 to 1024 characters' }),
      data: Type.String({
        ...Pattern('^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', 'must be Base64'),
        description: 'The bytes, in Base64',
      }),
      contentType: Type.Optional(
        Nullable(Type.String({ description: 'application/octet-stream if not given' })),
      ),
      metadata: Type.Optional(Nullable(Metadata)),
      ...KeptHeaderFields,
      contentDigest: Type.Optional(
        Nullable(Text(0, 1024, { description: 'Checked, like `Content-Digest`' })),
      ),
      ifMatch: Type.Optional(Nullable(Text(0, 8192, { description: 'Like `If-Match`' }))),
      ifNoneMatch: Type.Optional(Nullable(Text(0, 8192, { description: 'Like `If-None-Match`' }))),
    }),
    { minItems: 1, maxItems: 100 },
  ),
})
export type ObjectBatch = Type.Static<typeof ObjectBatch>
export const UploadedBatch = Named('UploadedBatch', {
  uploaded: Type.Array(
    Named('UploadedInBatch', { key: Type.String(), sizeBytes: Type.Integer(), etag: Type.String() }),
  ),
  errors: Type.Array(
    Named('RefusedInBatch', {
      key: Type.String(),
      status: Type.Integer({ description: 'What a request for this object alone would have returned' }),
      message: Type.String(),
    }),
  ),
  requestId,
})

/** In the reference; at run time the key is whatever follows, slashes included. */
export const ObjectPath = Type.Object({ bucketId: Uuid, objectKey: Type.String() })

export const Bytes = {
  description: 'The bytes',
  content: { '*/*': { schema: Type.String({ format: 'binary' }) } },
}

/** Where an object is found, from its fields. */
export const objectUrl = '/buckets/{bucket_id}/objects/{object_key}'

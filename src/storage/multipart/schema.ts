import { Named, Nullable, OneOf, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { KeptHeaderFields, MediaType, Metadata } from '../objects/schema.ts'

const requestId = Type.Optional(Type.String())

export const MultipartSession = Named('MultipartSession', {
  uploadId: Uuid,
  objectKey: Type.String(),
  bucketId: Uuid,
  totalSizeBytes: Nullable(Type.Integer()),
  status: OneOf(['pending', 'completed', 'failed']),
  created_at: Time,
  requestId,
})

export const NewMultipart = Named('NewMultipart', {
  objectKey: Text(1, 1024),
  totalSizeBytes: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Checked at the end' }),
    ),
  ),
  contentType: Type.Optional(Nullable(MediaType('Of the object; application/octet-stream if not given'))),
  metadata: Type.Optional(Nullable(Metadata)),
  ...KeptHeaderFields,
})
export type NewMultipart = Type.Static<typeof NewMultipart>

export const Part = Named('Part', {
  partNumber: Type.Integer(),
  etag: Type.String(),
  sizeBytes: Type.Integer(),
  requestId,
})

export const PartList = Named('PartList', { parts: Type.Array(Part), requestId })

export const SessionWithParts = Named('SessionWithParts', {
  ...MultipartSession.properties,
  parts: Type.Array(Part),
})

export const Completion = Named('Completion', {
  parts: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object({ partNumber: Type.Integer({ minimum: 1, maximum: 10_000 }), etag: Text(1, 64) }),
        { minItems: 1, maxItems: 10_000 },
      ),
    ),
  ),
})
export type Completion = Type.Static<typeof Completion>

export const UploadPath = Type.Object({ bucketId: Uuid, uploadId: Uuid })
export const PartPath = Type.Object({
  bucketId: Uuid,
  uploadId: Uuid,
  partNumber: Type.Integer({ minimum: 1, maximum: 10_000 }),
})

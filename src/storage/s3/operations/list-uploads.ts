import { isUuid } from '#platform/ids.ts'
import { listPending } from '../../multipart/multipart.ts'
import { checksumElements } from '../checksums/sent.ts'
import { invalidArgument } from '../errors.ts'
import { storageClassIn } from '../metadata.ts'
import { quoted, xmlReply } from '../reply.ts'
import { type Call, numberOf, parameterOf, type S3Request } from '../request.ts'
import { ownerOf } from './buckets.ts'
import { abortHeaders } from './expiration.ts'
import { encodingOf } from './list-objects.ts'
import { bucketOf } from './places.ts'
import { pendingUpload } from './uploads.ts'

const maxListed = 1000

export const listParts = async (call: Call) => {
  const { request } = call
  const { upload, ref } = await pendingUpload(call)
  const limit = numberOf(request, 'max-parts', { min: 0, max: maxListed, fallback: maxListed })
  const marker = numberOf(request, 'part-number-marker', { min: 0, max: 2 ** 31 - 1, fallback: 0 })
  const { encode, type } = encodingOf(request)
  const after = upload.parts.filter(({ partNumber }) => partNumber > marker)
  const page = after.slice(0, limit)
  const owner = ownerOf(call)
  return xmlReply(
    'ListPartsResult',
    {
      Bucket: request.bucket,
      Key: encode(request.key),
      UploadId: ref.uploadId,
      Initiator: owner,
      Owner: owner,
      StorageClass: storageClassIn(upload.headers),
      PartNumberMarker: marker,
      NextPartNumberMarker: page.at(-1)?.partNumber ?? 0,
      MaxParts: limit,
      IsTruncated: after.length > page.length,
      EncodingType: type,
      ChecksumAlgorithm: upload.checksum?.algorithm,
      ChecksumType: upload.checksum?.type,
      Part: page.map(({ partNumber, etag, sizeBytes, checksum, stored_at }) => {
        const { ChecksumType: _, ...value } = checksumElements(checksum)
        return {
          PartNumber: partNumber,
          LastModified: new Date(stored_at).toISOString(),
          ETag: quoted(etag),
          Size: sizeBytes,
          ...value,
        }
      }),
    },
    await abortHeaders(call.ctx, upload),
  )
}

const markerOf = (request: S3Request) => {
  const key = parameterOf(request, 'key-marker') ?? ''
  const uploadId = parameterOf(request, 'upload-id-marker') ?? ''
  if (uploadId && !isUuid(uploadId)) invalidArgument('upload-id-marker', uploadId, 'Invalid uploadId marker')
  return { key, uploadId, after: key === '' ? null : { key, uploadId: uploadId || null } }
}

export const listMultipartUploads = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const { encode, type } = encodingOf(request)
  const prefix = parameterOf(request, 'prefix') ?? ''
  const delimiter = parameterOf(request, 'delimiter') ?? ''
  const limit = numberOf(request, 'max-uploads', { min: 1, max: maxListed, fallback: maxListed })
  const { key, uploadId: marker, after } = markerOf(request)
  const found = await listPending(ctx, me, bucket.id, { prefix, delimiter, after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const isTruncated = found.length > limit
  const last = isTruncated ? page.at(-1) : undefined
  const owner = ownerOf(call)
  return xmlReply('ListMultipartUploadsResult', {
    Bucket: request.bucket,
    KeyMarker: encode(key),
    UploadIdMarker: marker,
    NextKeyMarker: last && encode(last.folder ?? last.objectKey),
    NextUploadIdMarker: last && (last.folder === null ? last.uploadId : ''),
    MaxUploads: limit,
    IsTruncated: isTruncated,
    Prefix: encode(prefix),
    Delimiter: delimiter ? encode(delimiter) : undefined,
    EncodingType: type,
    Upload: page
      .filter(({ folder }) => folder === null)
      .map(({ objectKey, uploadId, created_at, headers }) => ({
        Key: encode(objectKey),
        UploadId: uploadId,
        Initiator: owner,
        Owner: owner,
        StorageClass: storageClassIn(headers),
        Initiated: created_at,
      })),
    CommonPrefixes: page.flatMap(({ folder }) => (folder === null ? [] : { Prefix: encode(folder) })),
  })
}

import { isUuid } from '#platform/ids.ts'
import { listPending } from '../../multipart/multipart.ts'
import { checksumElements } from '../checksums/sent.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { quoted, xmlReply } from '../reply.ts'
import { type Call, numberOf, parameterOf } from '../request.ts'
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
      StorageClass: 'STANDARD',
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

export const listMultipartUploads = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  if (parameterOf(request, 'delimiter')) refuse('NotImplemented', 'A delimiter is not supported here')
  const { encode, type } = encodingOf(request)
  const prefix = parameterOf(request, 'prefix') ?? ''
  const limit = numberOf(request, 'max-uploads', { min: 1, max: maxListed, fallback: maxListed })
  const key = parameterOf(request, 'key-marker') ?? ''
  const marker = parameterOf(request, 'upload-id-marker') ?? ''
  if (marker && !isUuid(marker)) invalidArgument('upload-id-marker', marker, 'Invalid uploadId marker')
  const after = key === '' ? null : { key, uploadId: marker || null }
  const found = await listPending(ctx, me, bucket.id, { prefix, after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const owner = ownerOf(call)
  return xmlReply('ListMultipartUploadsResult', {
    Bucket: request.bucket,
    KeyMarker: encode(key),
    UploadIdMarker: marker,
    NextKeyMarker: encode(page.at(-1)?.objectKey ?? ''),
    NextUploadIdMarker: page.at(-1)?.uploadId ?? '',
    MaxUploads: limit,
    IsTruncated: found.length > limit,
    Prefix: encode(prefix),
    EncodingType: type,
    Upload: page.map(({ objectKey, uploadId, created_at }) => ({
      Key: encode(objectKey),
      UploadId: uploadId,
      Initiator: owner,
      Owner: owner,
      StorageClass: 'STANDARD',
      Initiated: created_at,
    })),
  })
}

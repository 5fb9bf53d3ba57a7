import { writeConditions } from '#platform/http/response/conditional.ts'
import { contentTypeOf } from '../../objects/write/headers.ts'
import { authorizeUpload, receiveBody } from '../../objects/write/receive.ts'
import { storeUpload } from '../../objects/write/write.ts'
import { checksumHeaders } from '../checksums/sent.ts'
import { refuse } from '../errors.ts'
import { keptOf, metadataOf } from '../metadata.ts'
import { payloadOf, requireLength } from '../payload.ts'
import { emptyReply, quoted } from '../reply.ts'
import { type Call, headerOf, plainHeaders, refuseHeaders, type S3Request } from '../request.ts'
import { tagsInHeader } from '../tagging.ts'
import { askedAcl } from './asked-acl.ts'
import { expirationHeader } from './expiration.ts'
import { bucketOf, newKey, versionHeader } from './places.ts'
import { openObject } from './read-object.ts'

/** What would be stored with an object, but is not yet. */
const unsupported = [
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-customer-algorithm',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-write-offset-bytes',
  ...['read', 'read-acp', 'write-acp', 'full-control'].map((name) => `x-amz-grant-${name}`),
]

/** Throws if a request asks for something that a new object cannot have. */
export const checkObjectHeaders = (request: S3Request) => {
  refuseHeaders(request, unsupported)
  if ([...request.headers.keys()].some((name) => name.startsWith('x-amz-object-lock-')))
    refuse('InvalidRequest', 'Bucket is missing ObjectLockConfiguration')
  const acl = headerOf(request, 'x-amz-acl')
  if (acl !== undefined && acl !== 'private' && acl !== 'bucket-owner-full-control')
    refuse('AccessControlListNotSupported')
}

/** S3's default. */
const anyBytes = 'binary/octet-stream'
export const typeOf = (request: S3Request) => contentTypeOf(headerOf(request, 'content-type') || anyBytes)

export const putObject = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const key = newKey(request.key)
  checkObjectHeaders(request)
  requireLength(request)
  const payload = payloadOf(call)
  const contentType = typeOf(request)
  authorizeUpload(ctx, me, { bucket, key, contentType, size: payload.length })
  const upload = {
    bucket,
    key,
    contentType,
    metadata: metadataOf(request),
    kept: keptOf(request),
    tags: tagsInHeader(request),
    conditions: writeConditions(plainHeaders(request)),
    keepsVersions: true,
  }
  const blob = await receiveBody(ctx, upload, {
    body: payload.stream,
    announced: payload.length,
    digests: payload.digests,
  })
  const checksum = payload.checksum()
  const { object, versionId } = await storeUpload(ctx, me, upload, { blob, checksum })
  const { object_key, size_bytes, updated_at: stored_at } = object
  return emptyReply(200, {
    etag: quoted(object.etag),
    ...checksumHeaders(checksum),
    ...versionHeader(bucket, versionId),
    ...(await expirationHeader(ctx, bucket, {
      object_key,
      size_bytes,
      tags: upload.tags,
      stored_at,
    })),
  })
}

/** Objects accept the ACLs that say nothing. */
export const putObjectAcl = async (call: Call) => {
  await openObject(call, 'object.write')
  const acl = await askedAcl(call)
  if (acl !== 'private' && acl !== 'bucket-owner-full-control') refuse('AccessControlListNotSupported')
  return emptyReply(200)
}

/** No bucket has Object Lock, so no object can have a retention or a legal hold. */
export const noObjectLock = async (call: Call): Promise<never> => {
  await openObject(call, call.request.method === 'PUT' ? 'object.write' : 'object.read')
  return refuse('InvalidRequest', 'Bucket is missing Object Lock Configuration')
}

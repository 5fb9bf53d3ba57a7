import { Readable } from 'node:stream'
import type { AlgorithmName } from '../../checksums/algorithms.ts'
import * as uploads from '../../multipart/multipart.ts'
import { authorizedObject } from '../../objects/objects.ts'
import { downloadBytes } from '../../objects/read/delivery.ts'
import { checksumPlan } from '../checksums/multipart.ts'
import { checksumElements, checksumHeaders, checksumSent, usualAlgorithm } from '../checksums/sent.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { keptOf, metadataOf } from '../metadata.ts'
import { payloadOf, requireLength } from '../payload.ts'
import { emptyReply, quoted, xmlReply } from '../reply.ts'
import { type Call, headerOf, parameterOf, type S3Request } from '../request.ts'
import { unsignedPayload } from '../signature/payload-hash.ts'
import { tagsInHeader } from '../tagging.ts'
import { checkSource, noSource, sourceHeader, sourceOf } from './copy-object.ts'
import { abortHeaders } from './expiration.ts'
import { bucketOf, newKey } from './places.ts'
import { orNoUpload, pendingUpload } from './uploads.ts'
import { checkObjectHeaders, typeOf } from './write-object.ts'

const maxPartNumber = 10_000

export const createMultipartUpload = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const objectKey = newKey(request.key)
  checkObjectHeaders(request)
  const algorithm = headerOf(request, 'x-amz-checksum-algorithm')
  const checksum = checksumPlan(algorithm, headerOf(request, 'x-amz-checksum-type'))
  const input = {
    objectKey,
    contentType: typeOf(request),
    metadata: metadataOf(request),
    kept: keptOf(request),
    tags: tagsInHeader(request),
    checksum,
  }
  const session = await uploads.initiate(ctx, me, bucket.id, input)
  const shown = algorithm === undefined ? {} : { 'x-amz-checksum-algorithm': checksum.algorithm }
  return xmlReply(
    'InitiateMultipartUploadResult',
    { Bucket: request.bucket, Key: request.key, UploadId: session.uploadId },
    {
      ...(await abortHeaders(ctx, session)),
      ...shown,
      ...(algorithm === undefined ? {} : { 'x-amz-checksum-type': checksum.type }),
    },
  )
}

const partNumberOf = (request: S3Request) => {
  const text = parameterOf(request, 'partNumber') ?? ''
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= maxPartNumber) return number
  return invalidArgument(
    'partNumber',
    text,
    `Part number must be an integer between 1 and ${maxPartNumber}, inclusive`,
  )
}

/** The checksum that every part of an upload must have. If the client has named none, it may send any other as well. */
const algorithmFor = (
  { checksum: plan }: Pick<Awaited<ReturnType<typeof pendingUpload>>['upload'], 'checksum'>,
  sent: AlgorithmName | undefined,
): AlgorithmName => {
  if (!plan) return sent ?? usualAlgorithm
  if (!plan.implied && sent !== undefined && sent !== plan.algorithm)
    refuse(
      'InvalidRequest',
      `Checksum Type mismatch occurred, expected checksum Type: ${plan.algorithm.toLowerCase()}, actual checksum Type: ${sent.toLowerCase()}`,
    )
  return plan.algorithm as AlgorithmName
}

export const uploadPart = async (call: Call) => {
  const { ctx, me, request } = call
  const partNumber = partNumberOf(request)
  const { ref, upload } = await pendingUpload(call)
  const algorithm = algorithmFor(upload, checksumSent(request).algorithm)
  requireLength(request)
  const payload = payloadOf(call, algorithm, true)
  const stored = uploads.putPartBody(
    ctx,
    me,
    { ...ref, partNumber },
    {
      announced: payload.length,
      digests: () => payload.digests,
      body: payload.stream,
      isReceived: true,
      checksum: payload.checksum,
    },
  )
  const { etag } = await orNoUpload(stored, ref.uploadId)
  const { 'x-amz-checksum-type': _, ...checksum } = checksumHeaders(payload.verified())
  return emptyReply(200, { etag: quoted(etag), ...checksum })
}

/** `bytes=first-last`, both of which must be there. */
const copyRange = (request: S3Request, size: number) => {
  const text = headerOf(request, 'x-amz-copy-source-range')
  if (text === undefined) return { start: 0, end: size - 1 }
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  const [start, end] = [Number(first), Number(last)]
  if (first === undefined || start > end || end >= size)
    return invalidArgument(
      'x-amz-copy-source-range',
      text,
      'The range specified is not valid for the source object',
    )
  return { start, end }
}

export const uploadPartCopy = async (call: Call) => {
  const { ctx, me, request } = call
  const partNumber = partNumberOf(request)
  const { ref, upload } = await pendingUpload(call)
  const source = await sourceOf(call)
  const { versionId } = source
  const found = await authorizedObject(ctx, me, 'object.read', { ...source.ref, versionId })
  const object = found.object ?? (await noSource(call, source))
  checkSource(request, versionId)(object)
  const { start, end } = copyRange(request, object.size_bytes)
  const { body } = await downloadBytes(
    ctx,
    request.ip,
    { bucket: found.bucket, object, userId: me.userId },
    { start, end },
  )
  const stream = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body
  const copied = new Map([['content-length', [String(end - start + 1)]]])
  // The signature is that of a request without a body, and says nothing about what is copied.
  const signer = { ...call.signer, payloadHash: unsignedPayload }
  const payload = payloadOf(
    { request: { ...request, headers: copied }, signer, body: stream },
    algorithmFor(upload, undefined),
  )
  const stored = uploads.putPartBody(
    ctx,
    me,
    { ...ref, partNumber },
    {
      announced: payload.length,
      digests: () => payload.digests,
      body: payload.stream,
      isReceived: false,
      checksum: payload.checksum,
    },
  )
  const { etag } = await orNoUpload(stored, ref.uploadId)
  const { ChecksumType: _, ...checksum } = checksumElements(payload.checksum())
  return xmlReply(
    'CopyPartResult',
    { LastModified: ctx.clock.now().toISOString(), ETag: quoted(etag), ...checksum },
    sourceHeader(source.bucket, object),
  )
}

export const abortMultipartUpload = async (call: Call) => {
  const { ref } = await pendingUpload(call)
  await orNoUpload(uploads.abort(call.ctx, call.me, ref), ref.uploadId)
  return emptyReply(204)
}

import { Readable } from 'node:stream'
import { AppError } from '#platform/errors.ts'
import { writeConditions } from '#platform/http/conditional.ts'
import { isUuid } from '#platform/ids.ts'
import * as uploads from '../../multipart/multipart.ts'
import { authorizedObject } from '../../objects/objects.ts'
import { downloadBytes } from '../../objects/read/delivery.ts'
import type { AlgorithmName } from '../checksums/algorithms.ts'
import { checksumOfParts, checksumPlan } from '../checksums/multipart.ts'
import { checksumElements, checksumHeaders, usualAlgorithm } from '../checksums/sent.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { keptOf, metadataOf } from '../metadata.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { emptyReply, quoted, xmlReply } from '../reply.ts'
import { type Call, headerOf, numberOf, parameterOf, plainHeaders, type S3Request } from '../request.ts'
import { childrenOf, type Element, readXml, requiredText, textOf } from '../xml/read.ts'
import { ownerOf } from './buckets.ts'
import { checkSource, sourceOf } from './copy-object.ts'
import { encodingOf } from './list-objects.ts'
import { bucketOf, newKey } from './places.ts'
import { checkObjectHeaders, typeOf } from './write-object.ts'

const maxPartNumber = 10_000
const minPartBytes = 5 * 1024 * 1024

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
    checksum,
  }
  const { uploadId } = await uploads.initiate(ctx, me, bucket.id, input)
  const shown = algorithm === undefined ? {} : { 'x-amz-checksum-algorithm': checksum.algorithm }
  return xmlReply(
    'InitiateMultipartUploadResult',
    { Bucket: request.bucket, Key: request.key, UploadId: uploadId },
    { ...shown, ...(algorithm === undefined ? {} : { 'x-amz-checksum-type': checksum.type }) },
  )
}

const noUpload = (uploadId: string) => refuse('NoSuchUpload', undefined, { fields: { UploadId: uploadId } })

/** An upload that is not over, or was completed, and whose key is that of the request. */
const uploadOf = async (call: Call) => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const uploadId = parameterOf(request, 'uploadId') ?? ''
  if (!isUuid(uploadId)) return noUpload(uploadId)
  const ref = { bucketId: bucket.id, uploadId }
  const upload = await uploads.describeUpload(ctx, me, ref)
  if (upload.objectKey !== request.key || upload.status === 'failed') return noUpload(uploadId)
  return { bucket, ref, upload }
}

const pendingUpload = async (call: Call) => {
  const found = await uploadOf(call)
  return found.upload.status === 'pending' ? found : noUpload(found.ref.uploadId)
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

/** The upload may end while a part is on its way. */
const orNoUpload = async <T>(work: Promise<T>, uploadId: string): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.status === 409) return noUpload(uploadId)
    throw error
  }
}

export const uploadPart = async (call: Call) => {
  const { ctx, me, request } = call
  const partNumber = partNumberOf(request)
  const { ref, upload } = await pendingUpload(call)
  const algorithm = (upload.checksum?.algorithm ?? usualAlgorithm) as AlgorithmName
  const payload = payloadOf(call, algorithm)
  const stored = uploads.putPartBody(
    ctx,
    me,
    { ...ref, partNumber },
    {
      announced: payload.length,
      digests: () => payload.digests,
      body: payload.stream,
      checksum: payload.checksum,
    },
  )
  const { etag } = await orNoUpload(stored, ref.uploadId)
  const { 'x-amz-checksum-type': _, ...checksum } = checksumHeaders(payload.checksum())
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
  const found = await authorizedObject(ctx, me, 'object.read', { ...source.ref, versionId: source.versionId })
  const object = found.object ?? refuse('NoSuchKey', undefined, { fields: { Key: source.ref.key } })
  checkSource(request)(object)
  const { start, end } = copyRange(request, object.size_bytes)
  const { body } = await downloadBytes(
    ctx,
    request.ip,
    { bucket: found.bucket, object, userId: me.userId },
    { start, end },
  )
  const stream = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body
  const copied = new Map([['content-length', [String(end - start + 1)]]])
  const algorithm = (upload.checksum?.algorithm ?? usualAlgorithm) as AlgorithmName
  const payload = payloadOf(
    { request: { ...request, headers: copied }, signer: call.signer, body: stream },
    algorithm,
  )
  const stored = uploads.putPartBody(
    ctx,
    me,
    { ...ref, partNumber },
    { announced: payload.length, digests: () => [], body: payload.stream, checksum: payload.checksum },
  )
  const { etag } = await orNoUpload(stored, ref.uploadId)
  const { ChecksumType: _, ...checksum } = checksumElements(payload.checksum())
  return xmlReply('CopyPartResult', {
    LastModified: ctx.clock.now().toISOString(),
    ETag: quoted(etag),
    ...checksum,
  })
}

type Asked = { partNumber: number; etag: string; element: Element }

/** The parts that a client lists must be those that it has sent, in their order, and large enough. */
const checkParts = (asked: readonly Asked[], known: readonly uploads.PartRow[]) => {
  const byNumber = new Map(known.map((part) => [part.partNumber, part]))
  const isOrdered = asked.every(
    ({ partNumber }, at) => at === 0 || partNumber > (asked[at - 1]?.partNumber ?? 0),
  )
  if (!isOrdered) refuse('InvalidPartOrder')
  const sizes = asked.map(({ partNumber, etag, element }) => {
    const part = byNumber.get(partNumber)
    const { algorithm, value } = part?.checksum ?? {}
    const isSame = part?.etag === etag && [undefined, value].includes(textOf(element, `Checksum${algorithm}`))
    if (!isSame) refuse('InvalidPart', undefined, { fields: { PartNumber: partNumber, ETag: etag } })
    return part?.sizeBytes ?? 0
  })
  const small = sizes.slice(0, -1).findIndex((size) => size < minPartBytes)
  if (small >= 0)
    refuse('EntityTooSmall', undefined, {
      fields: {
        ProposedSize: sizes[small] ?? 0,
        MinSizeAllowed: minPartBytes,
        PartNumber: asked[small]?.partNumber ?? 0,
      },
    })
}

const partsIn = (text: string): Asked[] => {
  const parts = childrenOf(readXml(text, 'CompleteMultipartUpload'), 'Part').map((part) => ({
    partNumber: Number(requiredText(part, 'PartNumber')),
    etag: requiredText(part, 'ETag').replace(/^"|"$/g, ''),
    element: part,
  }))
  const isValid = parts.every(({ partNumber }) => Number.isInteger(partNumber) && partNumber >= 1)
  return isValid && parts.length > 0 && parts.length <= maxPartNumber ? parts : refuse('MalformedXML')
}

export const completeMultipartUpload = async (call: Call) => {
  const { ctx, me, request } = call
  const { ref, upload } = await uploadOf(call)
  const parts = partsIn(await readDocument(payloadOf({ ...call, request: withoutObjectChecksum(request) })))
  if (upload.status === 'pending') checkParts(parts, upload.parts)
  const expected = expectedChecksum(request)
  let checksum =
    upload.status === 'pending' ? checksumOfParts(upload.checksum, known(upload.parts, parts)) : null
  const { object } = await uploads.complete(ctx, me, ref, {
    parts,
    conditions: writeConditions(plainHeaders(request)),
    checksumOf: ({ checksum: plan }, chosen) => {
      checksum = checksumOfParts(plan, chosen)
      if (
        checksum &&
        expected &&
        expected[checksum.algorithm] !== undefined &&
        expected[checksum.algorithm] !== checksum.value
      )
        refuse(
          'BadDigest',
          `The ${checksum.algorithm} that you specified did not match the calculated checksum`,
        )
      return checksum
    },
  })
  return xmlReply('CompleteMultipartUploadResult', {
    Location: `${ctx.config.urls.s3}/${request.bucket}/${request.path.split('/').slice(2).join('/')}`,
    Bucket: request.bucket,
    Key: request.key,
    ETag: quoted(object.etag),
    ...checksumElements(checksum),
  })
}

const known = (all: readonly uploads.PartRow[], asked: readonly Asked[]) =>
  all.filter(({ partNumber }) => asked.some((part) => part.partNumber === partNumber))

/** On Complete, checksum headers are about the object, not about the body of the request. */
const isObjectChecksum = (name: string) =>
  name.startsWith('x-amz-checksum-') && name !== 'x-amz-checksum-type'

const withoutObjectChecksum = (request: S3Request): S3Request => ({
  ...request,
  headers: new Map([...request.headers].filter(([name]) => !isObjectChecksum(name))),
})

const expectedChecksum = (request: S3Request): Record<string, string> =>
  Object.fromEntries(
    [...request.headers]
      .filter(([name]) => isObjectChecksum(name))
      .map(([name, [value = '']]) => [name.slice('x-amz-checksum-'.length).toUpperCase(), value]),
  )

export const abortMultipartUpload = async (call: Call) => {
  const { ref } = await pendingUpload(call)
  await orNoUpload(uploads.abort(call.ctx, call.me, ref), ref.uploadId)
  return emptyReply(204)
}

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
  return xmlReply('ListPartsResult', {
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
  })
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
  const found = await uploads.listPending(ctx, me, bucket.id, { prefix, after, limit: limit + 1 })
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

import { writeConditions } from '#platform/http/response/conditional.ts'
import * as uploads from '../../multipart/multipart.ts'
import { type Checksum, findContent } from '../../objects/objects.ts'
import { checkObjectChecksum, checksumOfParts, withoutObjectChecksum } from '../checksums/multipart.ts'
import { checksumElements } from '../checksums/sent.ts'
import { refuse } from '../errors.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { addressOf, quoted, xmlReply } from '../reply.ts'
import { type Call, headerOf, plainHeaders, type S3Request } from '../request.ts'
import { childrenOf, type Element, readXml, requiredText, textOf } from '../xml/read.ts'
import { expirationOfNew } from './expiration.ts'
import { versionHeader } from './places.ts'
import { uploadOf } from './uploads.ts'

const maxParts = 10_000
const minPartBytes = 5 * 1024 * 1024

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
  if (!isValid || parts.length === 0 || parts.length > maxParts) refuse('MalformedXML')
  // A client that has sent a part again may list it again, too: the last entry counts.
  return parts.filter(({ partNumber }, at) => parts[at + 1]?.partNumber !== partNumber)
}

/** `x-amz-mp-object-size` */
const checkSize = (request: S3Request, parts: readonly uploads.PartRow[]) => {
  const expected = headerOf(request, 'x-amz-mp-object-size')
  const size = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (expected !== undefined && expected !== String(size))
    refuse(
      'InvalidRequest',
      `The provided 'x-amz-mp-object-size' header value ${expected} does not match what was computed: ${size}`,
    )
}

/** The checksum of an object that was completed before, unless another one has taken its place since. */
const checksumSince = async (call: Call, bucketId: string, etag: string) => {
  const found = await findContent(call.ctx, { bucketId, key: call.request.key })
  return found?.etag === etag ? found.checksum : null
}

export const completeMultipartUpload = async (call: Call) => {
  const { ctx, me, request } = call
  const { bucket, ref, upload } = await uploadOf(call)
  const parts = partsIn(await readDocument(payloadOf({ ...call, request: withoutObjectChecksum(request) })))
  if (upload.status === 'pending') checkParts(parts, upload.parts)
  let checksum: Checksum | null = null
  const { object, created, versionId } = await uploads.complete(ctx, me, ref, {
    parts,
    conditions: writeConditions(plainHeaders(request)),
    keepsVersions: true,
    checksumOf: ({ checksum: plan }, chosen) => {
      checkSize(request, chosen)
      checksum = checksumOfParts(plan, chosen)
      checkObjectChecksum(request, checksum)
      return checksum
    },
  })
  const result = {
    Location: addressOf(ctx, request),
    Bucket: request.bucket,
    Key: request.key,
    ETag: quoted(object.etag),
    ...checksumElements(created ? checksum : await checksumSince(call, bucket.id, object.etag)),
  }
  return xmlReply('CompleteMultipartUploadResult', result, {
    ...versionHeader(bucket, versionId),
    ...(await expirationOfNew(ctx, bucket, request.key, object.etag)),
  })
}

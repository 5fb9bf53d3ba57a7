import { writeConditions } from '#platform/http/conditional.ts'
import * as uploads from '../../multipart/multipart.ts'
import type { Checksum } from '../../objects/objects.ts'
import { checksumOfParts } from '../checksums/multipart.ts'
import { checksumElements } from '../checksums/sent.ts'
import { refuse } from '../errors.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { quoted, xmlReply } from '../reply.ts'
import { type Call, plainHeaders, type S3Request } from '../request.ts'
import { childrenOf, type Element, readXml, requiredText, textOf } from '../xml/read.ts'
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
  return isValid && parts.length > 0 && parts.length <= maxParts ? parts : refuse('MalformedXML')
}

export const completeMultipartUpload = async (call: Call) => {
  const { ctx, me, request } = call
  const { bucket, ref, upload } = await uploadOf(call)
  const parts = partsIn(await readDocument(payloadOf({ ...call, request: withoutObjectChecksum(request) })))
  if (upload.status === 'pending') checkParts(parts, upload.parts)
  const expected = expectedChecksum(request)
  let checksum: Checksum | null = null
  const { object, versionId } = await uploads.complete(ctx, me, ref, {
    parts,
    conditions: writeConditions(plainHeaders(request)),
    keepsVersions: true,
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
  const result = {
    Location: `${ctx.config.urls.s3}/${request.bucket}/${encodeURIComponent(request.key).replaceAll('%2F', '/')}`,
    Bucket: request.bucket,
    Key: request.key,
    ETag: quoted(object.etag),
    ...checksumElements(checksum),
  }
  return xmlReply('CompleteMultipartUploadResult', result, versionHeader(bucket, versionId))
}

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

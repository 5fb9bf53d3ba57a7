import { isNotModified, rangeOf, requireVersion, type Version } from '#platform/http/response/conditional.ts'
import { blobsOf } from '../../blobs/read.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Storage } from '../../context.ts'
import { authorizedObject, type Checksum, type ObjectHead } from '../../objects/objects.ts'
import { downloadBytes } from '../../objects/read/delivery.ts'
import { checksumHeaders } from '../checksums/sent.ts'
import { invalidArgument, refuse } from '../errors.ts'
import { metadataHeaders } from '../metadata.ts'
import { quoted } from '../reply.ts'
import {
  type Call,
  headerOf,
  numberOf,
  parameterOf,
  plainHeaders,
  type Reply,
  type S3Request,
} from '../request.ts'
import { tagCount } from '../tagging.ts'
import { expirationHeader } from './expiration.ts'
import { noObject } from './missing.ts'
import { anyKey, bucketOf, versionHeader, versionIdOf, versionOf } from './places.ts'

/** An object that the caller may read, or change. */
export const openObject = async (call: Call, action: 'object.read' | 'object.write' = 'object.read') => {
  const { ctx, me, request } = call
  const bucket = await bucketOf(call)
  const versionId = versionOf(request, bucket)
  const ref = { bucketId: bucket.id, key: anyKey(request.key) }
  const { object } = await authorizedObject(ctx, me, action, { ...ref, versionId })
  const isMeant = object && (versionId === undefined || object.unversioned === (versionId === null))
  return { bucket, object: isMeant ? object : await noObject(call, bucket, ref.key, versionId) }
}

/** Headers of a response that a signed query may replace. */
const overrides = [
  'content-type',
  'content-language',
  'expires',
  'cache-control',
  'content-disposition',
  'content-encoding',
]

/** What a signed query replaces. Without a signature anybody could make a response look as they like. */
const overridden = (request: S3Request, isSigned: boolean): Record<string, string> =>
  Object.fromEntries(
    overrides.flatMap((name) => {
      const value = parameterOf(request, `response-${name}`)
      if (value === undefined) return []
      if (!isSigned)
        refuse(
          'InvalidRequest',
          'Request specific response headers cannot be used for anonymous GET requests.',
        )
      return /^[\x20-\x7e]*$/.test(value) ? [[name, value]] : invalidArgument(`response-${name}`, value)
    }),
  )

const headersOf = (object: ObjectHead): Record<string, string> => ({
  ...metadataHeaders(object.metadata),
  ...object.headers,
  ...tagCount(object.tags),
  etag: quoted(object.etag),
  'last-modified': new Date(object.stored_at).toUTCString(),
  'accept-ranges': 'bytes',
  'content-type': object.content_type,
})

/** The bytes of a part. An object that was not uploaded in parts is one part. */
const partRange = async (ctx: Storage, object: ObjectHead, number: number) => {
  const blobs = await blobsOf(ctx, object)
  const sizes = isMultipart(object) ? blobs.map(({ size }) => size) : [object.size_bytes]
  const size = sizes[number - 1]
  if (size === undefined)
    return refuse('InvalidPartNumber', undefined, { fields: { ActualPartCount: sizes.length } })
  const start = sizes.slice(0, number - 1).reduce((sum, one) => sum + one, 0)
  const checksum = isMultipart(object) ? checksumOfPart(blobs[number - 1], object) : object.checksum
  return { range: { start, end: start + size - 1 }, count: sizes.length, checksum }
}

/** What a part was verified with when it was uploaded. The type is said of the object as a whole. */
export const checksumOfPart = (blob: { checksum: unknown } | undefined, object: ObjectHead) => {
  const checksum = (blob?.checksum ?? null) as Checksum | null
  return checksum && { ...checksum, type: object.checksum?.type ?? checksum.type }
}

export const isMultipart = ({ etag }: ObjectHead) => etag.includes('-')

const rangeIn = (request: S3Request, object: ObjectHead, version: Version) => {
  try {
    return rangeOf(plainHeaders(request), object.size_bytes, version)
  } catch {
    const fields = { RangeRequested: headerOf(request, 'range') ?? '', ActualObjectSize: object.size_bytes }
    const headers = { 'content-range': `bytes */${object.size_bytes}` }
    return refuse('InvalidRange', undefined, { fields, headers })
  }
}

type Opened = { bucket: BucketFacts; object: ObjectHead }

/** The response to GET or HEAD. `isSigned`: only then the query may replace headers. */
export const deliverObject = async (
  ctx: Storage,
  request: S3Request,
  { bucket, object }: Opened,
  { userId, isSigned }: { userId: string | null; isSigned: boolean },
): Promise<Reply> => {
  const size = object.size_bytes
  const number = numberOf(request, 'partNumber', { min: 1, max: 10_000, fallback: 0 })
  if (number > 0 && request.headers.has('range'))
    refuse('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter')
  const headers = {
    ...headersOf(object),
    ...versionHeader(bucket, versionIdOf(object)),
    ...overridden(request, isSigned),
  }
  const version = {
    etag: quoted(object.etag),
    lastModified: new Date(object.stored_at).toUTCString(),
    isDated: true,
  }
  const asked = plainHeaders(request)
  requireVersion(asked, version)
  if (isNotModified(asked, version)) return { status: 304, headers, body: '' }
  const part = number > 0 ? await partRange(ctx, object, number) : null
  const range = part && part.count > 1 ? part.range : part ? null : rangeIn(request, object, version)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const isWhole = range === null
  const wantsChecksum = headerOf(request, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED'
  const all: Reply['headers'] = {
    ...headers,
    ...(wantsChecksum ? checksumHeaders(part ? part.checksum : isWhole ? object.checksum : null) : {}),
    ...(part && isMultipart(object) ? { 'x-amz-mp-parts-count': part.count } : {}),
    ...(isWhole ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
    'content-length': end - start + 1,
  }
  const status = isWhole ? 200 : 206
  if (request.method === 'HEAD') return { status, headers: all, body: '' }
  return {
    status,
    headers: all,
    ...(await downloadBytes(ctx, request.ip, { bucket, object, userId }, { start, end })),
  }
}

export const getObject = async (call: Call): Promise<Reply> => {
  const { ctx, request, me } = call
  const opened = await openObject(call)
  const reply = await deliverObject(ctx, request, opened, { userId: me.userId, isSigned: true })
  if (parameterOf(request, 'versionId') !== undefined) return reply
  const expiration = await expirationHeader(ctx, opened.bucket, opened.object)
  return { ...reply, headers: { ...reply.headers, ...expiration } }
}

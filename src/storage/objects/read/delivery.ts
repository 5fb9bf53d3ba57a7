import type { ByteResponse } from '#platform/http/response/bytes.ts'
import {
  conditionalHeaders,
  isNotModified,
  rangeOf,
  requireVersion,
} from '#platform/http/response/conditional.ts'
import { inert } from '#platform/http/response/headers.ts'
import { blobsOf, fileToHandOver, readBytes } from '../../blobs/read.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import type { Storage } from '../../context.ts'
import { noObject } from '../../refusals.ts'
import { traffic } from '../../usage/traffic.ts'
import type { ObjectHead } from '../objects.ts'

type Headers = Record<string, string | string[] | undefined>

/** What is downloaded, and by whom. */
type Download = {
  bucket: BucketFacts
  object: ObjectHead
  userId: string | null
  /** Anybody may read it, wherever they are. */
  isPublic?: boolean
}

/** The parts of a request that matter. `download=false` in the query asks for a response to be shown in the browser. */
type DownloadRequest = { method: string; headers: Headers; ip: string; query: unknown }

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** For clients that know no `filename*`. A percent sign would make some of them decode the name. */
const plainName = (name: string) => name.replace(/[^ -~]|["\\%]/gu, '_')

/** The name comes from the key, unless the uploader chose another. */
const dispositionOf = ({ object_key: key, headers }: ObjectHead, shown: boolean | undefined) => {
  const kept = headers['content-disposition']
  if (kept !== undefined)
    return shown === undefined ? kept : kept.replace(/^[^;]*/, shown ? 'inline' : 'attachment')
  const name = key.split('/').at(-1) || 'download'
  const type = shown ? 'inline' : 'attachment'
  return `${type}; filename="${plainName(name)}"; filename*=UTF-8''${encodeName(name)}`
}

/** What is kept with an object, in its headers. Those with `x-` were added by another dialect and are not sent here. */
const keptIn = ({ metadata, headers }: ObjectHead) => {
  const kept: Record<string, string> = {}
  // Header values are bytes; Node takes each character for one byte.
  for (const [name, value] of Object.entries(metadata))
    if (token.test(name)) kept[`x-meta-${name.toLowerCase()}`] = Buffer.from(value).toString('latin1')
  for (const [name, value] of Object.entries(headers)) if (!name.startsWith('x-')) kept[name] = value
  return kept
}

/** For objects that anybody may read: how long caches may send them to others. Until then they do not know of a change. */
const publicCaching = 'public, max-age=60'

/** The response to GET or HEAD of an object that the caller may read; throws 404 if there is none. */
export const deliver = async (
  ctx: Storage,
  request: DownloadRequest,
  {
    bucket,
    object = noObject(),
    userId,
    isPublic = false,
  }: Omit<Download, 'object'> & { object: ObjectHead | undefined },
): Promise<ByteResponse> => {
  const { method, headers: asked } = request
  const size = object.size_bytes
  const { download } = request.query as { download?: boolean }
  const version = {
    etag: `"${object.etag}"`,
    lastModified: new Date(object.stored_at).toUTCString(),
    isDated: true,
  }
  const headers: ByteResponse['headers'] = {
    'cache-control': isPublic ? publicCaching : 'private, no-cache',
    ...keptIn(object),
    etag: version.etag,
    'last-modified': version.lastModified,
    'accept-ranges': 'bytes',
    'content-type': object.content_type,
    'content-disposition': dispositionOf(object, download === undefined ? undefined : !download),
    ...inert,
  }
  requireVersion(asked, version)
  if (isNotModified(asked, version)) return { status: 304, headers, body: '' }
  if (method === 'HEAD') {
    headers['content-length'] = size
    return { status: 200, headers, body: '' }
  }

  const range = rangeOf(asked, size, version)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const length = end - start + 1
  const metered = await admitDownload(ctx, request.ip, { bucket, object, userId }, length)
  const blobs = await blobsOf(ctx, object)
  const { accelPrefix } = ctx.config
  const file = accelPrefix && isPlain(asked, object) && (await fileToHandOver(ctx, blobs))
  if (file) {
    headers['x-accel-redirect'] = `${accelPrefix}/${file}`
    return { status: 200, headers, body: '', metered }
  }
  const body = await readBytes(ctx, blobs, start, end)
  headers['content-length'] = length
  if (range) headers['content-range'] = `bytes ${start}-${end}/${size}`
  return { status: range ? 206 : 200, headers, body, metered }
}

/** Throws if the bandwidth of the organization is used up. Returns what records the download of so many bytes. */
const admitDownload = async (ctx: Storage, ip: string, download: Download, length: number) => {
  await traffic(ctx).admit(download.bucket.orgId)
  return { length, record: recordSent(ctx, ip, download) }
}

/** Some bytes of an object, both ends included, and what records that they were sent. */
export const downloadBytes = async (
  ctx: Storage,
  ip: string,
  download: Download,
  { start, end }: { start: number; end: number },
) => {
  const metered = await admitDownload(ctx, ip, download, end - start + 1)
  return { body: await readBytes(ctx, await blobsOf(ctx, download.object), start, end), metered }
}

/**
 * Whether a web server in front can respond as we would: it knows neither our entity tags and times, which conditional
 * requests refer to, nor custom metadata, encodings and languages.
 */
const isPlain = (asked: Headers, { metadata, headers }: ObjectHead) =>
  Object.keys(metadata).length === 0 &&
  headers['content-encoding'] === undefined &&
  headers['content-language'] === undefined &&
  !conditionalHeaders.some((name) => asked[name] !== undefined)

/** Returns what records a download, to be called when it is known how many bytes were sent. */
const recordSent =
  (ctx: Storage, ip: string, { bucket, object, userId }: Download) =>
  (bytes: number) =>
    traffic(ctx).sent({
      orgId: bucket.orgId,
      userId,
      ip,
      objectId: object.id,
      bucketId: bucket.id,
      objectKey: object.object_key,
      bytes,
      at: ctx.clock.now(),
    })

import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '#platform/errors.ts'
import { conditionalHeaders, isNotModified, rangeOf, requireVersion } from '#platform/http/conditional.ts'
import { bodySent } from '#platform/http/fast-path.ts'
import { blobsOf, fileToHandOver, readBytes } from '../blobs/blobs.ts'
import type { BucketFacts, Storage } from '../context.ts'
import type { Metadata, ObjectHead } from './objects.ts'

/** Who downloads, and what. */
type Sent = { bucket: BucketFacts; object: ObjectHead; userId: string | null }
export type Delivery = Omit<Sent, 'object'> & { object: ObjectHead | undefined }

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const metadataHeaders = (metadata: Metadata) =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => token.test(name))
      // Header values are bytes; Node takes each character for one.
      .map(([name, value]) => [`x-meta-${name.toLowerCase()}`, Buffer.from(value).toString('latin1')]),
  )

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const disposition = (key: string, inline: boolean) => {
  const name = key.split('/').at(-1) || 'download'
  return `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(name)}`
}

const describe = (object: ObjectHead) => ({
  ...metadataHeaders(object.metadata),
  etag: `"${object.etag}"`,
  'last-modified': new Date(object.stored_at).toUTCString(),
  'accept-ranges': 'bytes',
  'content-type': object.content_type,
  'content-disposition': disposition(object.object_key, false),
  'cache-control': 'private, no-cache',
})

/** Worked out once for as long as the object is remembered. */
const described = new WeakMap<ObjectHead, ReturnType<typeof describe>>()

export const headersOf = (object: ObjectHead, inline: boolean) => {
  const headers = described.get(object) ?? describe(object)
  described.set(object, headers)
  if (!inline) return headers
  const shown = { 'content-disposition': disposition(object.object_key, true) }
  return { ...headers, ...shown, 'content-security-policy': 'sandbox' }
}

/** Answers GET and HEAD of an object that the caller may read. */
export const deliver = async (
  ctx: Storage,
  req: FastifyRequest,
  reply: FastifyReply,
  { bucket, object = notFound(), userId }: Delivery,
): Promise<Buffer | Readable | string> => {
  const { download } = req.query as { download?: boolean }
  const headers = headersOf(object, download === false)
  const version = { etag: headers.etag, lastModified: headers['last-modified'], isDated: true }
  requireVersion(req.headers, version)
  if (isNotModified(req.headers, version)) {
    reply.code(304).headers(headers)
    return ''
  }
  const size = object.size_bytes
  const range = req.method === 'GET' ? rangeOf(req.headers, size, version) : null
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (req.method === 'HEAD') {
    reply.headers({ ...headers, 'content-length': size })
    return ''
  }
  const meterWhenOver = (length: number) => {
    const record = recordSent(ctx, req.ip, { bucket, object, userId })
    const { socket } = req.raw
    const from = socket.bytesWritten
    reply.raw.once('close', () => record(bodySent(reply.raw, socket, from, length)))
  }
  await ctx.traffic.admit(bucket.orgId)
  const blobs = await blobsOf(ctx, object)
  const file = isPlain(req.headers, object) && (await fileToHandOver(ctx, blobs))
  if (file) {
    meterWhenOver(end - start + 1)
    reply.headers({ ...headers, 'x-accel-redirect': `${ctx.config.accelPrefix}/${file}` })
    return ''
  }
  const bytes = await readBytes(ctx, blobs, start, end)
  reply.headers(headers).header('content-length', end - start + 1)
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  meterWhenOver(end - start + 1)
  return bytes
}

/**
 * Whether a web server in front can answer as we would: it knows neither our entity tags and times, which the
 * conditions of a request are about, nor custom metadata.
 */
const isPlain = (headers: FastifyRequest['headers'], { metadata }: ObjectHead) =>
  Object.keys(metadata).length === 0 && !conditionalHeaders.some((name) => headers[name] !== undefined)

/** For when it is known how many bytes were really sent. */
export const recordSent =
  (ctx: Storage, ip: string, { bucket, object, userId }: Sent) =>
  (bytes: number) =>
    ctx.traffic.sent({
      orgId: bucket.orgId,
      userId,
      ip,
      objectId: object.id,
      bucketId: bucket.id,
      objectKey: object.object_key,
      bytes,
      at: ctx.clock.now(),
    })

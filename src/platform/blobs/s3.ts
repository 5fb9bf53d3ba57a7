import { Readable } from 'node:stream'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { unavailable } from '#platform/errors.ts'
import { derivedFrom, type Engine, MissingBytes } from './engine.ts'
import { noSpace } from './space.ts'

type Place = {
  bucket: string
  /** What the keys of all its blobs begin with. */
  prefix?: string
  region: string
  endpoint?: string
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined
}

type Bounds = { maxBytes: number; connectMs: number; answerMs: number; silenceMs: number }

const mib = 1024 * 1024
/** S3's limits: the number of parts, and the size of every part but the last. */
const maxParts = 10_000
const minPart = 5 * mib
const partsAtOnce = 3
const abandonedAfterMs = 24 * 3600 * 1000
const blobName = /^[0-9a-f]{2}\/([0-9a-f-]{36})$/
const ownerKey = 'trivet-owner'
const usual: Bounds = { maxBytes: 1024 * mib, connectMs: 3_000, answerMs: 15_000, silenceMs: 30_000 }

/** The SDK is large, so it is loaded when a bucket is first used, and never if blobs are files. */
const connect = async ({ region, endpoint, credentials }: Place, { connectMs, answerMs }: Bounds) => {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const client = new sdk.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials: { ...credentials } }),
    maxAttempts: 3,
    // Many S3 implementations support no checksum but the one in the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      // A slow reader occupies a connection, and must not take it from others.
      socketTimeout: 0,
      httpAgent: { keepAlive: true, maxSockets: 1024 },
      httpsAgent: { keepAlive: true, maxSockets: 1024 },
    },
  })
  return { sdk, client: client as S3Client, Upload }
}

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
const isMissing = (error: unknown) =>
  ['NoSuchKey', 'NotFound', 'InvalidRange'].includes((error as Error).name) || statusOf(error) === 416

const outage = (cause: unknown) => unavailable('The object store is not available', cause)

/** Blobs as objects of a bucket, with the names that they would have as files. */
export const s3Engine = (place: Place, bounds: Partial<Bounds> = {}): Engine => {
  const limits = { ...usual, ...bounds }
  const { bucket: Bucket, prefix = '' } = place
  const partSize = Math.max(minPart, Math.ceil(limits.maxBytes / maxParts))
  let connection: ReturnType<typeof connect> | undefined
  const connected = () => {
    connection ??= connect(place, limits)
    return connection
  }
  const keyOf = (id: string) => `${prefix}${id.slice(-2)}/${id}`
  const idOf = (key: string) =>
    key.startsWith(prefix) ? blobName.exec(key.slice(prefix.length))?.[1] : undefined

  /** Limits the time until the response begins; after that, the reader sets the pace. */
  const get = async (id: string, size: number, start: number, end: number) => {
    const { sdk, client } = await connected()
    const whole = start === 0 && end === size - 1
    const command = new sdk.GetObjectCommand({
      Bucket,
      Key: keyOf(id),
      ...(whole ? {} : { Range: `bytes=${start}-${end}` }),
    })
    const answer = await client.send(command).catch((cause) => {
      if (isMissing(cause)) throw new MissingBytes(`blob ${id} is missing or too short`, { cause })
      return outage(cause)
    })
    const found = sizeIn(answer)
    const body = answer.Body as Readable
    if (found === size) return body
    body.destroy()
    throw new MissingBytes(`blob ${id} has ${found} bytes instead of ${size}`)
  }

  return {
    async write(id, chunks) {
      const { client, Upload } = await connected()
      let spoiled: { error: unknown } | undefined
      const watched = async function* () {
        try {
          // A stream asks for chunks ahead of their use.
          for await (const chunk of chunks) yield Buffer.from(chunk)
        } catch (error) {
          spoiled = { error }
          throw error
        }
      }
      const params = { Bucket, Key: keyOf(id), Body: Readable.from(watched(), { objectMode: false }) }
      const upload = new Upload({ client, params, partSize, queueSize: partsAtOnce })
      await upload.done().catch((cause) => {
        if (spoiled) throw spoiled.error
        if (statusOf(cause) === 507) throw noSpace(cause)
        return outage(cause)
      })
    },

    async read(id, size, start, end) {
      const body = await get(id, size, start, end)
      return derivedFrom(body, patiently(body, limits.silenceMs))
    },

    async readWhole(id, size) {
      const chunks: Buffer[] = []
      const body = await get(id, size, 0, size - 1)
      try {
        for await (const chunk of patiently(body, limits.silenceMs)) chunks.push(chunk)
      } catch (error) {
        outage(error)
      }
      return Buffer.concat(chunks)
    },

    async remove(id) {
      const { sdk, client } = await connected()
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: keyOf(id) })).catch(outage)
    },

    async *list() {
      const { sdk, client } = await connected()
      let from: string | undefined
      do {
        const page = await client
          .send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: from }))
          .catch(outage)
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const id = idOf(Key)
          if (id && LastModified) yield { id, modifiedAt: LastModified }
        }
        from = page.NextContinuationToken
      } while (from)
    },

    owner: {
      async read() {
        const { sdk, client } = await connected()
        const found = await client
          .send(new sdk.GetObjectCommand({ Bucket, Key: ownerKey }))
          .catch((error) => {
            if (isMissing(error)) return null
            return outage(error)
          })
        return found?.Body ? found.Body.transformToString() : null
      },
      async write(id) {
        const { sdk, client } = await connected()
        await client.send(new sdk.PutObjectCommand({ Bucket, Key: ownerKey, Body: id })).catch(outage)
      },
    },

    async sweep(now) {
      const { sdk, client } = await connected()
      const found = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket })).catch((error) => {
        // An S3 implementation that does not list uploads has rules of its own to end them.
        if (statusOf(error) === 501) return { Uploads: [] }
        return outage(error)
      })
      for (const { Key, UploadId, Initiated } of found.Uploads ?? []) {
        const ours = Key && UploadId && idOf(Key)
        if (ours && Initiated && now.getTime() - Initiated.getTime() > abandonedAfterMs)
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(outage)
      }
    },
  }
}

/** The length of the whole object in a response that may hold a range of it. */
const sizeIn = ({ ContentRange, ContentLength }: GetObjectCommandOutput) =>
  ContentRange === undefined ? ContentLength : Number(ContentRange.split('/')[1])

/** Ends a stream whose source stopped sending. Time during which the reader does not read is not counted. */
const patiently = async function* (body: Readable, silenceMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const tooLong = setTimeout(() => body.destroy(new Error('The object store fell silent')), silenceMs)
      const { value, done } = await chunks.next().finally(() => clearTimeout(tooLong))
      if (done) return
      yield value
    }
  } finally {
    body.destroy()
  }
}

import { createHash } from 'node:crypto'
import { finished, type Readable, Transform, type TransformCallback } from 'node:stream'
import { streamOf } from '#platform/http/bytes.ts'
import type { Digest } from '../blobs/blobs.ts'
import type { Checksum } from '../objects/objects.ts'
import { type AlgorithmName, startAll } from './checksums/algorithms.ts'
import { checkedValue, checksumSent, headerFor, usualAlgorithm } from './checksums/sent.ts'
import { refuse, S3Error } from './errors.ts'
import { type Call, headerOf, type S3Request } from './request.ts'
import { ChunkDecoder } from './signature/chunks.ts'
import { unsignedPayload } from './signature/verify.ts'

/** A body that is decoded and verified while it is read: at its end, the stream fails unless everything holds. */
export type Payload = {
  stream: Readable | null
  /** Of the decoded bytes. */
  length: number
  digests: Digest[]
  /** To be kept, and what the client has sent, or the same. Known when the stream has ended. */
  checksum(): Checksum
  verified(): Checksum
  /** Whether the client has sent a checksum or a digest of the body. */
  isVouchedFor: boolean
}

const md5Of = (request: S3Request): Digest[] => {
  const text = headerOf(request, 'content-md5')
  if (text === undefined) return []
  const expected = Buffer.from(text.trim(), 'base64')
  if (expected.length !== 16) refuse('InvalidDigest')
  const refusal = new S3Error(
    'BadDigest',
    'The Content-MD5 that you specified did not match what we received',
  )
  return [{ algorithm: 'md5', expected, header: 'Content-MD5', refusal }]
}

const sha256Of = (payloadHash: string): Digest[] => {
  if (payloadHash === unsignedPayload || payloadHash.startsWith('STREAMING-')) return []
  if (!/^[0-9a-f]{64}$/i.test(payloadHash))
    refuse(
      'InvalidArgument',
      'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-…, or a SHA-256 in hexadecimal',
    )
  const expected = Buffer.from(payloadHash, 'hex')
  const refusal = new S3Error('XAmzContentSHA256Mismatch')
  return [{ algorithm: 'sha256', expected, header: 'x-amz-content-sha256', refusal }]
}

type Running = ReturnType<typeof startAll>

/** How the body is sent in chunks, by the value of `x-amz-content-sha256`. */
const chunkings: Record<string, { isSigned: boolean; hasTrailers: boolean }> = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailers: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailers: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailers: true },
}

const lengthIn = (request: S3Request, header: string) => {
  const text = headerOf(request, header)
  if (text === undefined) return refuse('MissingContentLength')
  return /^\d{1,15}$/.test(text)
    ? Number(text)
    : refuse('InvalidArgument', `${header} must be a number of bytes`)
}

/** Computes checksums of what passes, and compares them at the end. */
class Summing extends Transform {
  readonly #running: Running
  readonly #atEnd: (values: Buffer[]) => void

  constructor(running: Running, atEnd: (values: Buffer[]) => void) {
    super()
    this.#running = running
    this.#atEnd = atEnd
  }
  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback) {
    this.#running.update(bytes)
    done(null, bytes)
  }
  override _flush(done: TransformCallback) {
    try {
      this.#atEnd(this.#running.digests())
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

/**
 * Leads a body through transforms, from when the result is first read: only then is a client that waits for
 * `100 Continue` told to go on. The body itself is never destroyed, so that a response can be sent on its connection; after
 * a failure, the rest of it is skipped.
 */
const through = (source: Readable, ...transforms: Transform[]): Readable => {
  const last = transforms.at(-1) as Transform
  const skip = () => source.unpipe().resume()
  const begin = () => {
    finished(source, { writable: false }, (error) => {
      if (error)
        last.destroy(
          error instanceof S3Error ? error : new S3Error('IncompleteBody', undefined, { cause: error }),
        )
    })
    let from = source
    for (const transform of transforms) {
      if (transform !== last) transform.once('error', (error) => last.destroy(error))
      from = from.pipe(transform)
    }
    last.once('error', skip)
  }
  const read = last._read
  last._read = (size) => {
    last._read = read
    begin()
    last._read(size)
  }
  return last
}

/** A body of which every byte is here; undefined if some are still on their way. */
const arrived = (body: Readable, length: number): Buffer | undefined =>
  length > 0 && body.readableLength === length ? (body.read(length) as Buffer) : undefined

const fullChecksum = (algorithm: AlgorithmName, values: ReadonlyMap<AlgorithmName, Buffer>): Checksum => ({
  algorithm,
  value: (values.get(algorithm) as Buffer).toString('base64'),
  type: 'FULL_OBJECT',
})

/** Without a checksum of the client's, `algorithm` is computed; if it is to be kept, it is computed in any case. */
export const payloadOf = (
  { request, signer, body }: Pick<Call, 'request' | 'signer' | 'body'>,
  algorithm: AlgorithmName = usualAlgorithm,
  isToBeKept = false,
): Payload => {
  const payloadHash = headerOf(request, 'x-amz-content-sha256') ?? unsignedPayload
  const chunking = chunkings[payloadHash]
  if (!chunking && payloadHash.startsWith('STREAMING-'))
    refuse('NotImplemented', `The payload ${payloadHash} is not supported`)
  const sent = checksumSent(request)
  if (sent.isTrailing && !chunking?.hasTrailers) refuse('InvalidRequest', 'A trailer needs a body in chunks')
  const name = sent.algorithm ?? algorithm
  const kept = isToBeKept ? algorithm : name
  const digests = [...md5Of(request), ...sha256Of(payloadHash)]
  const length = lengthOf(request, chunking !== undefined)
  let expected = sent.expected
  const values = new Map<AlgorithmName, Buffer>()
  const atEnd = ([found, other]: Buffer[]) => {
    if (sent.isTrailing && expected === undefined)
      refuse('InvalidRequest', `The trailer ${headerFor(name)} is missing`)
    if (expected && !expected.equals(found as Buffer))
      refuse('BadDigest', `The ${name} that you specified did not match what we received`)
    values.set(kept, other ?? (found as Buffer)).set(name, found as Buffer)
  }
  const onTrailers = (trailers: ReadonlyMap<string, string>) => {
    const text = trailers.get(headerFor(name))
    if (sent.isTrailing && text !== undefined) expected = checkedValue(name, text)
  }
  const running = startAll(kept === name ? [name] : [name, kept])
  const summing = new Summing(running, atEnd)
  const decoder =
    chunking &&
    new ChunkDecoder({
      signer: chunking.isSigned ? signer : null,
      hasTrailers: chunking.hasTrailers,
      length,
      onTrailers,
    })
  if (!body) {
    if (chunking) refuse('IncompleteBody')
    atEnd(running.digests())
  }
  const whole = body && !chunking ? arrived(body, length) : undefined
  if (whole) {
    running.update(whole)
    atEnd(running.digests())
  }
  return {
    stream: whole ? streamOf(whole) : body && through(body, ...(decoder ? [decoder] : []), summing),
    length,
    digests,
    isVouchedFor: sent.algorithm !== undefined || digests.length > 0,
    checksum: () => fullChecksum(kept, values),
    verified: () => fullChecksum(name, values),
  }
}

const lengthOf = (request: S3Request, isChunked: boolean) => {
  if (isChunked) return lengthIn(request, 'x-amz-decoded-content-length')
  if (
    headerOf(request, 'transfer-encoding') === undefined &&
    headerOf(request, 'content-length') === undefined
  )
    return 0
  return lengthIn(request, 'content-length')
}

const maxDocumentBytes = 1024 * 1024

/** A body that is a document, as a whole. */
export const readDocument = async ({ stream, length, digests }: Payload): Promise<string> => {
  if (length > maxDocumentBytes)
    refuse('EntityTooLarge', `A document must have at most ${maxDocumentBytes} bytes`)
  const chunks: Buffer[] = []
  if (stream) for await (const chunk of stream) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  for (const { algorithm, expected, refusal } of digests)
    if (!createHash(algorithm).update(bytes).digest().equals(expected)) throw refusal
  return bytes.toString('utf8')
}

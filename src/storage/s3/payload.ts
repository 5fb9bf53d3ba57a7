import { finished, type Readable, type Transform } from 'node:stream'
import { asRefusal, checkBytes, type Digest } from '../blobs/blobs.ts'
import type { AlgorithmName } from '../checksums/algorithms.ts'
import type { Checksum } from '../objects/objects.ts'
import { checkedValue, checksumSent, headerFor, usualAlgorithm } from './checksums/sent.ts'
import { refuse } from './errors.ts'
import { type Call, headerOf, type S3Request } from './request.ts'
import { ChunkDecoder } from './signature/chunks.ts'
import { unsignedPayload } from './signature/payload-hash.ts'

/** A body that is decoded while it is read. Whoever reads it computes its digests, and calls their checks at its end. */
export type Payload = {
  stream: Readable | null
  /** Of the decoded bytes. */
  length: number
  digests: Digest[]
  /** To be kept, and what the client has sent, or the same. Known when the digests were checked. */
  checksum(): Checksum
  verified(): Checksum
  /** Whether the client has sent a checksum or a digest of the body besides the one that belongs to its signature. */
  isVouchedFor: boolean
}

const md5Of = (request: S3Request): Digest[] => {
  const text = headerOf(request, 'content-md5')
  if (text === undefined) return []
  const expected = Buffer.from(text.trim(), 'base64')
  if (expected.length !== 16) refuse('InvalidDigest')
  const check = (found: Buffer) => {
    if (!found.equals(expected))
      refuse('BadDigest', 'The Content-MD5 that you specified did not match what we received')
  }
  return [{ algorithm: 'MD5', check }]
}

const sha256Of = (payloadHash: string): Digest[] => {
  if (payloadHash === unsignedPayload || payloadHash.startsWith('STREAMING-')) return []
  const expected = Buffer.from(payloadHash, 'hex')
  const check = (found: Buffer) => {
    if (!found.equals(expected)) refuse('XAmzContentSHA256Mismatch')
  }
  return [{ algorithm: 'SHA256', check }]
}

/** How the body is sent in chunks, by what was signed as its hash. */
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

/**
 * Leads a body through a transform, from when the result is first read: only then is a client that waits for
 * `100 Continue` told to go on. The body itself is never destroyed, so that a response can be sent on its connection; after
 * a failure, the rest of it is skipped.
 */
const through = (source: Readable, transform: Transform): Readable => {
  const read = transform._read
  transform._read = (size) => {
    transform._read = read
    finished(source, { writable: false }, (error) => {
      if (error) transform.destroy(error)
    })
    source.pipe(transform)
    transform._read(size)
  }
  transform.once('error', () => source.unpipe().resume())
  return transform
}

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
  const { payloadHash } = signer
  const chunking = chunkings[payloadHash]
  if (!chunking && payloadHash.startsWith('STREAMING-'))
    refuse('NotImplemented', `The payload ${payloadHash} is not supported`)
  const sent = checksumSent(request)
  if (sent.isTrailing && !chunking?.hasTrailers) refuse('InvalidRequest', 'A trailer needs a body in chunks')
  const name = sent.algorithm ?? algorithm
  const kept = isToBeKept ? algorithm : name
  const length = lengthOf(request, chunking !== undefined)
  if (chunking && !body) refuse('IncompleteBody')
  let expected = sent.expected
  const values = new Map<AlgorithmName, Buffer>()
  const check = (found: Buffer) => {
    values.set(name, found)
    if (sent.isTrailing && expected === undefined)
      refuse('InvalidRequest', `The trailer ${headerFor(name)} is missing`)
    if (expected && !expected.equals(found))
      refuse('BadDigest', `The ${name} that you specified did not match what we received`)
  }
  const onTrailers = (trailers: ReadonlyMap<string, string>) => {
    const text = trailers.get(headerFor(name))
    if (sent.isTrailing && text !== undefined) expected = checkedValue(name, text)
  }
  const md5 = md5Of(request)
  const decoder = chunking && {
    signer: chunking.isSigned ? signer : null,
    hasTrailers: chunking.hasTrailers,
    length,
    onTrailers,
  }
  return {
    stream: body && decoder ? through(body, new ChunkDecoder(decoder)) : body,
    length,
    digests: [
      { algorithm: name, check },
      ...(kept === name ? [] : [{ algorithm: kept, check: (found: Buffer) => void values.set(kept, found) }]),
      ...md5,
      ...sha256Of(payloadHash),
    ],
    isVouchedFor: sent.algorithm !== undefined || md5.length > 0,
    checksum: () => fullChecksum(kept, values),
    verified: () => fullChecksum(name, values),
  }
}

const lengthOf = (request: S3Request, isChunked: boolean) => {
  if (isChunked) return lengthIn(request, 'x-amz-decoded-content-length')
  return hasBody(request) ? lengthIn(request, 'content-length') : 0
}

const hasBody = ({ headers }: S3Request) => headers.has('content-length') || headers.has('transfer-encoding')

/** What becomes an object or a part has a length, even if it is empty. */
export const requireLength = (request: S3Request) => {
  if (!hasBody(request)) refuse('MissingContentLength')
}

const maxDocumentBytes = 1024 * 1024

/** A body that is a document, as a whole. */
export const readDocument = async ({ stream, length, digests }: Payload): Promise<string> => {
  if (length > maxDocumentBytes)
    refuse('EntityTooLarge', `A document must have at most ${maxDocumentBytes} bytes`)
  const bytes = Buffer.concat(
    stream ? await stream.toArray().catch((error) => Promise.reject(asRefusal(error))) : [],
  )
  checkBytes(bytes, digests)
  return bytes.toString('utf8')
}

/** The same for operations that S3 refuses without a checksum of their body. */
export const readVouchedDocument = (payload: Payload): Promise<string> =>
  payload.isVouchedFor
    ? readDocument(payload)
    : refuse('InvalidRequest', 'Missing required header for this request: Content-MD5 OR x-amz-checksum-*')

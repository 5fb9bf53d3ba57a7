import { createHash, type Hash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { releaseBuffer, soleUse } from '#platform/release-buffer.ts'
import { refuse, S3Error } from '../errors.ts'
import { sha256 } from './canonical.ts'
import { type Signer, sameSignature, signatureOf } from './verify.ts'

/** How a body is divided into chunks (`aws-chunked`). */
export type Chunking = {
  /** With a signature on each chunk, which continues from that of the request. */
  signer: Signer | null
  /** Whether checksums follow the last chunk. */
  hasTrailers: boolean
  /** `x-amz-decoded-content-length` */
  length: number
  /** Called when everything was verified, with the trailers by their names in lower case. */
  onTrailers(trailers: ReadonlyMap<string, string>): void
}

const maxHeaderBytes = 1024
const maxTrailerBytes = 16 * 1024
const noBytes = sha256('')
const crlf = Buffer.from('\r\n')

const malformed = (message: string) =>
  new S3Error('InvalidRequest', `The chunked body is malformed: ${message}`)

const wrongSignature = (of: string) =>
  new S3Error('SignatureDoesNotMatch', `The signature of ${of} does not match what was received`)

const trailersIn = (text: string) => {
  const found = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue
    const at = line.indexOf(':')
    if (at < 1) throw malformed('a trailer has no name')
    found.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim())
  }
  return found
}

const trailerSignature = 'x-amz-trailer-signature'

/**
 * Decodes such a body in its own memory, piece by piece as it arrives. Holds no more of it than one line, and fails before
 * its end unless all of it is as signed.
 */
export class ChunkDecoder extends Transform {
  readonly #chunking: Chunking
  #state: 'header' | 'data' | 'after data' | 'trailers' | 'over' = 'header'
  #line: Buffer = Buffer.alloc(0)
  #left = 0
  #decoded = 0
  #previous: string
  #claimed = ''
  #hash: Hash | null = null
  /** What has just arrived, and where the decoded bytes are in it. */
  #arrived: Buffer = Buffer.alloc(0)
  #decodedFrom = 0
  #decodedTo = 0

  constructor(chunking: Chunking) {
    super()
    this.#chunking = chunking
    this.#previous = chunking.signer?.signature ?? ''
  }

  override _transform(bytes: Buffer, _: BufferEncoding, done: TransformCallback) {
    try {
      this.#arrived = bytes
      this.#decodedFrom = this.#decodedTo = 0
      let rest = bytes
      while (rest.length > 0) rest = this.#take(rest)
      if (this.#decodedFrom === this.#decodedTo) releaseBuffer(bytes)
      else this.push(soleUse(bytes, this.#decodedFrom, this.#decodedTo))
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  override _flush(done: TransformCallback) {
    try {
      this.#finish()
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  /** Takes some bytes from the front and returns the others. */
  #take(bytes: Buffer): Buffer {
    switch (this.#state) {
      case 'header': {
        const [line, rest] = this.#lineIn(bytes)
        if (line !== null) this.#begin(line)
        return rest
      }
      case 'data': {
        const some = bytes.subarray(0, this.#left)
        this.#hash?.update(some)
        this.#keep(some)
        this.#left -= some.length
        this.#decoded += some.length
        if (this.#left === 0) this.#state = 'after data'
        return bytes.subarray(some.length)
      }
      case 'after data': {
        const [line, rest] = this.#lineIn(bytes)
        if (line === null) return rest
        if (line !== '') throw malformed('a chunk is longer than it says')
        this.#endChunk()
        this.#state = 'header'
        return rest
      }
      case 'trailers': {
        if (this.#line.length + bytes.length > maxTrailerBytes) throw malformed('the trailers are too long')
        this.#line = Buffer.concat([this.#line, bytes])
        return bytes.subarray(bytes.length)
      }
      case 'over': {
        if (bytes.length > crlf.length - this.#line.length)
          throw malformed('something follows the last chunk')
        this.#line = Buffer.concat([this.#line, bytes])
        if (!crlf.subarray(0, this.#line.length).equals(this.#line))
          throw malformed('something follows the last chunk')
        return bytes.subarray(bytes.length)
      }
    }
  }

  /** Moves decoded bytes of what has just arrived to where those before them end. */
  #keep(some: Buffer) {
    const from = some.byteOffset - this.#arrived.byteOffset
    if (this.#decodedFrom === this.#decodedTo) this.#decodedFrom = this.#decodedTo = from
    else this.#arrived.copyWithin(this.#decodedTo, from, from + some.length)
    this.#decodedTo += some.length
  }

  /** A line without its end, or null if it is not complete yet. */
  #lineIn(bytes: Buffer): [string | null, Buffer] {
    const known = this.#line.length
    const text = known === 0 ? bytes : Buffer.concat([this.#line, bytes.subarray(0, maxHeaderBytes)])
    const end = text.indexOf(crlf)
    if ((end < 0 ? text.length : end) > maxHeaderBytes) throw malformed('a line is too long')
    if (end < 0) {
      this.#line = Buffer.from(text)
      return [null, bytes.subarray(bytes.length)]
    }
    this.#line = Buffer.alloc(0)
    return [text.toString('latin1', 0, end), bytes.subarray(end + crlf.length - known)]
  }

  #begin(line: string) {
    const [, size, signature] = /^([0-9a-fA-F]{1,13})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line) ?? []
    if (size === undefined) throw malformed('a chunk has no valid size')
    if (this.#chunking.signer && signature === undefined) throw malformed('a chunk has no signature')
    this.#claimed = signature ?? ''
    this.#left = Number.parseInt(size, 16)
    if (this.#decoded + this.#left > this.#chunking.length)
      throw malformed('it has more bytes than x-amz-decoded-content-length')
    if (this.#chunking.signer) this.#hash = createHash('sha256')
    if (this.#left > 0) {
      this.#state = 'data'
      return
    }
    this.#endChunk()
    this.#state = this.#chunking.hasTrailers ? 'trailers' : 'over'
  }

  #endChunk() {
    const { signer } = this.#chunking
    if (!signer) return
    const hash = (this.#hash as Hash).digest('hex')
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', signer.date, signer.scope, this.#previous, noBytes, hash].join(
      '\n',
    )
    const expected = signatureOf(signer.key, text)
    if (!sameSignature(expected, this.#claimed)) throw wrongSignature('a chunk')
    this.#previous = expected
  }

  #finish() {
    const { hasTrailers, length, signer, onTrailers } = this.#chunking
    if (this.#state !== (hasTrailers ? 'trailers' : 'over')) refuse('IncompleteBody')
    if (this.#decoded !== length)
      refuse('IncompleteBody', 'The body does not have as many bytes as x-amz-decoded-content-length says')
    const trailers = hasTrailers ? trailersIn(this.#line.toString('utf8')) : new Map<string, string>()
    if (hasTrailers && signer) this.#checkTrailers(trailers, signer)
    trailers.delete(trailerSignature)
    onTrailers(trailers)
  }

  #checkTrailers(trailers: Map<string, string>, { key, date, scope }: Signer) {
    const claimed = trailers.get(trailerSignature) ?? ''
    const signed = [...trailers]
      .filter(([name]) => name !== trailerSignature)
      .map(([name, value]) => `${name}:${value}\n`)
      .join('')
    const text = ['AWS4-HMAC-SHA256-TRAILER', date, scope, this.#previous, sha256(signed)].join('\n')
    if (!sameSignature(signatureOf(key, text), claimed)) throw wrongSignature('the trailers')
  }
}

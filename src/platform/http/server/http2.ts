import { METHODS } from 'node:http'
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'

/** Requests and responses over HTTP/2, made to behave as those of HTTP/1 do wherever Node's own differ (ADR 19). */

/** How long the client of an answered request may go on sending its body before the stream is reset. */
const lingerMs = 100

/**
 * The authority is the host, and HTTP/1 has no other pseudo-headers. A host that differs from it stays beside it, and is
 * refused as every second one is.
 */
const withHost = (rawHeaders: readonly string[]) => {
  const lines: [name: string, value: string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push([rawHeaders[at] as string, rawHeaders[at + 1] as string])
  const authority = lines.find(([name]) => name === ':authority')?.[1]
  return [
    ...(authority === undefined ? [] : ['host', authority]),
    ...lines
      .filter(([name, value]) => !name.startsWith(':') && !(name === 'host' && value === authority))
      .flat(),
  ]
}

export class StreamRequest extends Http2ServerRequest {
  /** How many bytes of the body have arrived. */
  bytesReceived = 0
  /** Somebody has begun to read the body. Until then Node keeps it out of sight. */
  isBeingRead = false
  /** Its connection, also after it was lost. */
  readonly session: ServerHttp2Session

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    options: object,
    rawHeaders: readonly string[],
  ) {
    // As HTTP/1 marks a body of unknown length. Clients cannot send this header over HTTP/2.
    const isUnmeasured = !stream.endAfterHeaders && headers['content-length'] === undefined
    super(stream, headers, options, [
      ...withHost(rawHeaders),
      ...(isUnmeasured ? ['transfer-encoding', 'chunked'] : []),
    ])
    this.session = stream.session as ServerHttp2Session
    const { ':authority': authority } = headers
    if (authority !== undefined) headers.host = authority
    if (isUnmeasured) headers['transfer-encoding'] = 'chunked'
  }

  /** The parser of HTTP/1 refuses other methods. */
  get isKnownMethod() {
    return METHODS.includes(this.method)
  }

  override _read(size: number) {
    this.isBeingRead = true
    super._read(size)
  }

  /** Node ends the body of a stream that was reset as if it were complete. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding) {
    if (chunk !== null) this.bytesReceived += chunk.length
    else if (this.stream.aborted) {
      this.destroy(this.listenerCount('error') > 0 ? new Error('The client has reset the stream') : undefined)
      return false
    }
    return super.push(chunk, encoding)
  }
}

type Written = ((error: Error) => void) | undefined

/** With the accessors that Node's types take for properties, which could not be overridden. */
interface NodeResponse
  extends Omit<Http2ServerResponse, 'destroyed' | 'destroy' | 'writableFinished' | 'writeHead' | 'write'> {
  writeHead(status: number, headers?: OutgoingHttpHeaders): this
  destroy(error?: Error): this
  write(chunk: string | Uint8Array, encoding: BufferEncoding, written: Written): boolean
}
const NodeResponse = Http2ServerResponse as unknown as new (stream: ServerHttp2Stream) => NodeResponse

export class StreamResponse extends NodeResponse {
  /** How many bytes of the body have left. */
  bytesSent = 0

  constructor(stream: ServerHttp2Stream) {
    super(stream)
    // Nobody reads the rest of a body once the response is complete.
    stream.once('finish', () => {
      if (stream.readableEnded || stream.destroyed) return
      const over = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs).unref()
      stream.once('close', () => clearTimeout(over))
    })
  }

  get destroyed() {
    return this.stream.destroyed
  }

  /** Node also finishes a stream that the client has reset. */
  get writableFinished() {
    return this.stream.writableFinished && !this.stream.aborted
  }

  /** HTTP/2 has no `Connection`: what is to happen to the connection does not concern the other streams on it. */
  override writeHead(status: number, headers?: OutgoingHttpHeaders) {
    if (headers?.connection === undefined) return super.writeHead(status, headers)
    const { connection: _, ...rest } = headers
    return super.writeHead(status, rest)
  }

  /** Without a code of its own, what was sent so far would count as the whole response. */
  override destroy(error?: Error) {
    if (!this.stream.writableFinished && !this.stream.closed)
      this.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    return super.destroy(error)
  }

  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Written, written?: Written) {
    const after = typeof encoding === 'function' ? encoding : written
    const named = typeof encoding === 'string' ? encoding : 'utf8'
    const size = typeof chunk === 'string' ? Buffer.byteLength(chunk, named) : chunk.length
    return super.write(chunk, named, (error?: Error) => {
      if (!error) this.bytesSent += size
      after?.(error as Error)
    })
  }
}

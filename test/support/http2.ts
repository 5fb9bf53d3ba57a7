import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { pipeline, Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'

type Call = { headers?: OutgoingHttpHeaders; body?: Buffer | string; json?: unknown }

/** A connection over HTTP/2. */
export const http2Client = async (base: string, ca: Buffer) => {
  const session = connect(base, { ca })
  session.on('error', () => {})
  await once(session, 'remoteSettings')
  return Object.assign((call: string, options?: Call) => answerTo(begin(session, call, options)), {
    session,
    /** A request whose response the test reads itself; its body is left open if `endStream` is false. */
    begin: (call: string, options?: Call & { endStream?: boolean }) => begin(session, call, options),
    close: () => session.destroy(),
  })
}

const begin = (
  session: ClientHttp2Session,
  call: string,
  { headers = {}, body, json, endStream }: Call & { endStream?: boolean } = {},
) => {
  const [method, path] = call.split(' ')
  const sent = json === undefined ? body : JSON.stringify(json)
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const all = { ':method': method, ':path': path, ...type, ...headers }
  const stream = session.request(all, { endStream: endStream ?? sent === undefined })
  stream.on('error', () => {})
  // In pieces: Node's client refuses responses while too much waits in it to be sent.
  if (sent !== undefined) pipeline(Readable.from(piecesOf(Buffer.from(sent))), stream, () => {})
  return stream
}

const pieceBytes = 64 * 1024

function* piecesOf(whole: Buffer) {
  for (let at = 0; at < whole.length; at += pieceBytes) yield whole.subarray(at, at + pieceBytes)
}

/** The response on a stream, once it has ended. */
export const answerTo = async (stream: ClientHttp2Stream) => {
  let headers: IncomingHttpHeaders = {}
  const chunks: Buffer[] = []
  stream.on('response', (received) => {
    headers = received
  })
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => stream.once('close', resolve))
  const text = Buffer.concat(chunks).toString()
  const isJson = headers['content-type']?.startsWith('application/json') && text !== ''
  return {
    status: Number(headers[':status'] ?? 0),
    headers,
    text,
    // biome-ignore lint/suspicious/noExplicitAny: a response may be anything
    body: (isJson ? JSON.parse(text) : null) as any,
    code: stream.rstCode,
  }
}

const frame = (type: number, flags: number, stream: number, payload: Buffer) => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header in HPACK, as a literal that is not indexed. Lengths below 127 take one byte, longer ones more. */
const literal = (text: string) => {
  const bytes = Buffer.from(text)
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
  const length = [127]
  let rest = bytes.length - 127
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128)
  return Buffer.concat([Buffer.from([...length, rest]), bytes])
}

/** A PUT over HTTP/2 whose frames the test sends one by one, and which it never completes. */
export const rawUpload = async (base: string, ca: Buffer, path: string, headers: Record<string, string>) => {
  const { hostname, port } = new URL(base)
  const socket = connectTls({ host: hostname, port: Number(port), ca, ALPNProtocols: ['h2'] })
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'secureConnect')
  const all = { ':method': 'PUT', ':scheme': 'https', ':authority': 'localhost', ':path': path, ...headers }
  const block = Object.entries(all).map(([name, value]) =>
    Buffer.concat([Buffer.from([0]), literal(name), literal(value)]),
  )
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(frame(4, 0, 0, Buffer.alloc(0)))
  socket.write(frame(1, 4, 1, Buffer.concat(block)))
  return {
    socket,
    send: (bytes: Buffer) => socket.write(frame(0, 0, 1, bytes)),
    reset: () => socket.write(frame(3, 0, 1, Buffer.from([0, 0, 0, 8]))),
  }
}
export type RawUpload = Awaited<ReturnType<typeof rawUpload>>

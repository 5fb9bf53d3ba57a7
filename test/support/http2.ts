import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'

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
export type Http2Client = Awaited<ReturnType<typeof http2Client>>

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
  if (sent !== undefined) stream.end(sent)
  return stream
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

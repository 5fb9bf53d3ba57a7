import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'

/**
 * Answers whose head is known but for a line or two. Node checks and joins every header of every answer anew, which
 * is a third of what a small one costs; here that is done once. `_header` is where Node keeps the head it has made
 * (the version of Node is pinned, and a test holds a prepared answer against an ordinary one).
 */
type Prepared = ServerResponse & { _header: string; _hasBody: boolean }

export type Headers = Record<string, string | number | undefined>

/** The lines of a head, checked. What is undefined is left out. */
export const headLines = (headers: Headers): string =>
  Object.entries(headers)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      validateHeaderName(name)
      validateHeaderValue(name, String(value))
      return `${name}: ${value}\r\n`
    })
    .join('')

export const keepAliveSeconds = 72
const keptAlive = headLines({ connection: 'keep-alive', 'keep-alive': `timeout=${keepAliveSeconds}` })
let second = 0
let date = ''
const dateLine = () => {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    date = `date: ${new Date(now * 1000).toUTCString()}\r\n${keptAlive}\r\n`
  }
  return date
}

/** Up to here, bytes are sent as one string with their head: one write, of what costs least. It is kept as long as they. */
const smallBytes = 16 * 1024
const asText = new WeakMap<Buffer, string>()
const textOf = (bytes: Buffer) => {
  const known = asText.get(bytes)
  if (known !== undefined) return known
  const text = bytes.toString('latin1')
  asText.set(bytes, text)
  return text
}

/** Only for connections that stay open. A string stands for bytes, one in each character. */
export const sendPrepared = (res: ServerResponse, status: number, lines: string, body: Buffer | string) => {
  const prepared = res as Prepared
  res.statusCode = status
  prepared._header = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}${dateLine()}`
  if (status === 304) prepared._hasBody = false
  if (typeof body !== 'string' && body.length > smallBytes) return res.end(body)
  return res.end(typeof body === 'string' ? body : textOf(body), 'latin1')
}

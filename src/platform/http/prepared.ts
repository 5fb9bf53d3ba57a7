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

let lastLines: string | undefined
/** The end of every head, the same for the rest of a second. */
const endLines = () => {
  if (lastLines !== undefined) return lastLines
  const now = new Date()
  setTimeout(() => {
    lastLines = undefined
  }, 1000 - now.getMilliseconds()).unref()
  lastLines = `date: ${now.toUTCString()}\r\nconnection: keep-alive\r\n\r\n`
  return lastLines
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

/** How the head of an answer begins. */
export const headOf = (status: number, headers: Headers) =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headLines(headers)}`

/** Only for connections that stay open. `head` is all but its last lines. A string stands for bytes, one in each character. */
export const sendPrepared = (res: ServerResponse, status: number, head: string, body: Buffer | string) => {
  const prepared = res as Prepared
  res.statusCode = status
  prepared._header = head + endLines()
  if (status === 304) prepared._hasBody = false
  if (typeof body !== 'string' && body.length > smallBytes) return res.end(body)
  return res.end(typeof body === 'string' ? body : textOf(body), 'latin1')
}

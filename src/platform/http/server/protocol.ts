import { type IncomingMessage, METHODS, maxHeaderSize } from 'node:http'
import { AppError } from '#platform/errors.ts'
import { StreamRequest } from './http2.ts'

/** What is wrong with a request by the rules of HTTP, before anybody asks what it is for. */

const host = /^(?:[\w.~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])?(?::\d{0,5})?$/

/** How many lines of a header there are; Node keeps the first one of some headers. */
const countLines = ({ rawHeaders }: { rawHeaders: string[] }, name: string) => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === name.length && rawHeaders[at]!.toLowerCase() === name) count++
  return count
}

const badHost = new AppError(400, 'Host must be sent once, and be the name of a host')
const badVersion = new AppError(505, 'HTTP version not supported')
export const methodNotImplemented = new AppError(501, 'Method not implemented')
const badExpectation = new AppError(417, 'The only expectation that can be met is 100-continue')

/** Why a request cannot be handled, whatever it asks for. */
export const protocolFault = (
  req: IncomingMessage | StreamRequest,
  { ignoresExpectations = false } = {},
): AppError | undefined => {
  // A client may write any version into a request line of HTTP/1.
  if (req.httpVersionMajor !== 1 && !(req instanceof StreamRequest)) return badVersion
  const { host: named, expect } = req.headers
  if (named === undefined ? req.httpVersionMinor > 0 : !host.test(named) || countLines(req, 'host') > 1)
    return badHost
  if (!ignoresExpectations && expect !== undefined && expect.toLowerCase() !== '100-continue')
    return badExpectation
  return undefined
}

/** What Node's parser says of bytes that are no request. */
export type ParserError = { code?: string; rawPacket?: unknown }

const requestLine = /^([!#$%&'*+.^_`|~\w-]{1,64}) [^\s]/

const lengthOfLine = (packet: string) => {
  const end = packet.indexOf('\n')
  return end === -1 ? packet.length : end
}
/** Half of what the line and the headers may have together. */
const longUri = maxHeaderSize / 2

const faults: Record<string, (packet: string) => [number, string]> = {
  // The packet may begin with the rest of another request, so this is a guess; the parser does not tell.
  HPE_HEADER_OVERFLOW: (packet) =>
    requestLine.test(packet) && lengthOfLine(packet) > longUri
      ? [414, 'URI too long']
      : [431, 'Request header fields too large'],
  HPE_INVALID_METHOD: (packet) => {
    const method = requestLine.exec(packet)?.[1]
    return method !== undefined && !METHODS.includes(method)
      ? [501, 'Method not implemented']
      : [400, 'Malformed request']
  },
  HPE_INVALID_VERSION: () => [505, 'HTTP version not supported'],
  HPE_PAUSED_H2_UPGRADE: () => [505, 'HTTP version not supported'],
  ERR_HTTP_REQUEST_TIMEOUT: () => [408, 'Request timed out'],
}

/** The response to them. */
export const parserFault = ({ code = '', rawPacket }: ParserError): AppError => {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const [status, message] = faults[code]?.(packet) ?? [400, 'Malformed request']
  return new AppError(status, message)
}

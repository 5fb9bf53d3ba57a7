import { createHash, createHmac } from 'node:crypto'
import { connect } from 'node:net'

/** Requests to S3 as bytes, signed by hand, so that every byte of them can be wrong. */
export type Credentials = { accessKey: string; secretKey: string }

export type RawRequest = {
  method: string
  /** Encoded as it is sent. */
  path: string
  query?: [name: string, value: string][]
  headers?: Record<string, string>
  body?: Buffer
  /** `x-amz-content-sha256`; by default that of the body, and none if the signature is in the query. */
  payload?: string
}

/** What was signed, as the bytes of a request. */
export type Signed = {
  head: string
  body: Buffer
  signature: string
  date: string
  scope: string
  key: Buffer
}

const region = 'eu-central-1'
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const keys = new Map<string, Buffer>()
const keyFor = ({ secretKey }: Credentials, scope: string) => {
  const known = keys.get(secretKey + scope)
  const key =
    known ??
    scope.split('/').reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretKey}`)
  keys.set(secretKey + scope, key as Buffer)
  return key as Buffer
}

const canonicalQuery = (query: [string, string][]) =>
  query
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map((pair) => pair.join('='))
    .join('&')

const toSign = (request: RawRequest, headers: [string, string][], query: string, payload: string) =>
  sha256(
    [
      request.method,
      request.path,
      query,
      headers.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}\n`).join(''),
      headers.map(([name]) => name).join(';'),
      payload,
    ].join('\n'),
  )

/** Signs a request in its headers, or in its query (`expires`: for so many seconds). */
export const sign = (
  base: string,
  credentials: Credentials,
  request: RawRequest,
  expires?: number,
): Signed => {
  const body = request.body ?? Buffer.alloc(0)
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const key = keyFor(credentials, scope)
  const payload = request.payload ?? (expires === undefined ? sha256(body) : 'UNSIGNED-PAYLOAD')
  const own = expires === undefined ? { 'x-amz-date': date, 'x-amz-content-sha256': payload } : {}
  const all = { host: new URL(base).host, ...request.headers, ...own }
  const headers = Object.entries(all)
    .map(([name, value]) => [name.toLowerCase(), value] as [string, string])
    .sort((a, b) => compare(a[0], b[0]))
  const names = headers.map(([name]) => name).join(';')
  const inQuery: [string, string][] =
    expires === undefined
      ? []
      : [
          ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
          ['X-Amz-Credential', `${credentials.accessKey}/${scope}`],
          ['X-Amz-Date', date],
          ['X-Amz-Expires', String(expires)],
          ['X-Amz-SignedHeaders', names],
        ]
  const query = canonicalQuery([...(request.query ?? []), ...inQuery])
  const text = ['AWS4-HMAC-SHA256', date, scope, toSign(request, headers, query, payload)].join('\n')
  const signature = hmac(key, text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKey}/${scope},SignedHeaders=${names},Signature=${signature}`
  const search = expires === undefined ? query : `${query}&X-Amz-Signature=${signature}`
  const lines = [
    ...headers,
    ...(expires === undefined ? [['authorization', authorization]] : []),
    ['content-length', String(body.length)],
    ['connection', 'close'],
  ].map(([name, value]) => `${name}: ${value}\r\n`)
  const target = `${request.path}${search ? `?${search}` : ''}`
  const head = `${request.method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
  return { head, body, signature, date, scope, key }
}

/** A body in signed chunks; with a trailer, also signed. `change` may change each of its pieces. */
export const chunkedBody = (
  { signature, date, scope, key }: Signed,
  chunks: readonly Buffer[],
  {
    trailer,
    change = (piece) => piece,
  }: { trailer?: string; change?(piece: string, index: number): string } = {},
) => {
  let previous = signature
  const noBytes = sha256('')
  const pieces = [...chunks, Buffer.alloc(0)].map((chunk, index) => {
    previous = hmac(
      key,
      ['AWS4-HMAC-SHA256-PAYLOAD', date, scope, previous, noBytes, sha256(chunk)].join('\n'),
    ).toString('hex')
    const end = chunk.length > 0 || trailer === undefined ? '\r\n' : ''
    return change(
      `${chunk.length.toString(16)};chunk-signature=${previous}\r\n${chunk.toString('latin1')}${end}`,
      index,
    )
  })
  if (trailer === undefined) return Buffer.from(pieces.join(''), 'latin1')
  const last = hmac(
    key,
    ['AWS4-HMAC-SHA256-TRAILER', date, scope, previous, sha256(`${trailer}\n`)].join('\n'),
  ).toString('hex')
  const ending = change(`${trailer}\r\nx-amz-trailer-signature:${last}\r\n\r\n`, chunks.length + 1)
  return Buffer.from(pieces.join('') + ending, 'latin1')
}

export type RawResponse = { status: number; code: string; text: string }

const interim = /^(HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/

/** Whether a response has arrived as a whole. Without a length, it ends with the connection. */
const isWhole = (text: string, isHead: boolean) => {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1]
  if (isHead || / (204|304) /.test(text.slice(0, 14))) return true
  return length !== undefined && text.length >= end + 4 + Number(length)
}

/** Sends bytes on a connection of their own. `isCut`: the client leaves after them. */
export const sendRaw = (base: string, bytes: Buffer, { isCut = false } = {}) => {
  const { hostname, port } = new URL(base)
  const isHead = bytes.toString('latin1', 0, 5) === 'HEAD '
  return new Promise<RawResponse>((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text = (text + chunk).replace(interim, '')
      if (isWhole(text, isHead)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
      resolve({ status, text, code: /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '' })
    })
    // A server that waits for more than will ever come.
    socket.setTimeout(5_000, () => socket.destroy())
    socket.write(bytes, () => isCut && socket.end())
  })
}

export const bytesOf = ({ head, body }: Pick<Signed, 'head' | 'body'>) =>
  Buffer.concat([Buffer.from(head, 'latin1'), body])

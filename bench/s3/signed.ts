import { createHash, createHmac } from 'node:crypto'
import aws4 from 'aws4'
import type { Request } from '../load.ts'

export type Credentials = { accessKey: string; secretKey: string }

const region = 'eu-central-1'

/** The headers of a request that is signed once and sent again and again. A signature is valid for 15 minutes. */
export const signedHeaders = (
  { accessKey, secretKey }: Credentials,
  { url, method = 'GET', headers = {}, body }: Request,
): Record<string, string> => {
  const { host, pathname, search } = new URL(url)
  const options = { service: 's3', region, method, host, path: pathname + search, headers: { ...headers } }
  const signed = aws4.sign(
    { ...options, ...(body === undefined ? {} : { body }) },
    { accessKeyId: accessKey, secretAccessKey: secretKey },
  )
  return Object.fromEntries(
    Object.entries(signed.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A body in signed chunks, which continue from the signature of the request. */
export const signedChunks = (
  { secretKey }: Credentials,
  headers: Record<string, string>,
  body: Buffer,
  chunkBytes = 64 * 1024,
): Buffer => {
  const date = headers['x-amz-date'] as string
  const scope = [date.slice(0, 8), region, 's3', 'aws4_request']
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretKey}`)
  let previous = /Signature=(\w+)/.exec(headers.authorization as string)?.[1] ?? ''
  const pieces: Buffer[] = []
  for (let at = 0; at <= body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes)
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', date, scope.join('/'), previous, sha256(''), sha256(chunk)]
    previous = hmac(key, text.join('\n')).toString('hex')
    pieces.push(
      Buffer.from(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    )
  }
  return Buffer.concat(pieces)
}

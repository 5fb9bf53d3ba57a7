import { postBody } from '#test/support/s3-form.ts'
import { bytesOf, type Credentials, chunkedBody, type RawRequest, sign } from '#test/support/s3-raw.ts'

/** The same numbers from the same seed. */
export const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
type Random = ReturnType<typeof randomFrom>

const oneOf = <T>(random: Random, items: readonly T[]) => items[Math.floor(random() * items.length)] as T
const chance = (random: Random, part: number) => random() < part

type Place = { base: string; credentials: Credentials; bucket: string; uploadId: string }

const words = [
  '', ' ', 'a', '..', '/', '//', '%', '%00', '%zz', '%FF', '+', '&', '=', '?', '#', "'", '"', '<', '>', '\\', '*', '-1', '0', '1',
  '10001', '99999999999999999999', '1e9', 'NaN', 'null', 'true', 'undefined', '__proto__', 'ü', '\u{1F600}', '\u202e',
  '00000000-0000-0000-0000-000000000000', 'x'.repeat(300), 'STANDARD', 'COPY', 'REPLACE', 'ENABLED', 'bytes=0-', 'bytes=-1',
  'bytes=5-1', 'bytes=0-0,2-3', 'aws-chunked', 'chunked', 'UNSIGNED-PAYLOAD', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', 'Wed, 21 Oct 2026 07:28:00 GMT',
] // biome-ignore format: as a table
const parameters = [
  'prefix', 'marker', 'delimiter', 'max-keys', 'max-uploads', 'max-parts', 'part-number-marker', 'uploadId', 'partNumber', 'versionId',
  'list-type', 'continuation-token', 'start-after', 'encoding-type', 'uploads', 'acl', 'delete', 'key-marker', 'upload-id-marker',
  'versions', 'version-id-marker', 'x-id', 'attributes', 'tagging', 'cors', 'policy', 'lifecycle', 'location', 'torrent', 'select',
  'response-content-type', 'response-expires', 'X-Amz-Expires', 'X-Amz-Signature', 'X-Amz-Credential', 'fetch-owner', 'versioning',
] // biome-ignore format: as a table
const headers = [
  'range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'content-md5', 'content-type',
  'content-encoding', 'content-language', 'cache-control', 'expires', 'expect', 'x-amz-acl', 'x-amz-copy-source', 'x-amz-copy-source-range',
  'x-amz-copy-source-if-match', 'x-amz-meta-a', 'x-amz-checksum-crc32', 'x-amz-checksum-crc64nvme', 'x-amz-checksum-sha256',
  'x-amz-checksum-mode', 'x-amz-checksum-algorithm', 'x-amz-checksum-type', 'x-amz-trailer', 'x-amz-decoded-content-length',
  'x-amz-object-attributes', 'x-amz-max-parts', 'x-amz-metadata-directive', 'x-amz-tagging', 'x-amz-storage-class', 'x-amz-date',
  'x-amz-website-redirect-location', 'x-amz-mp-object-size', 'x-amz-security-token', 'x-amz-sdk-checksum-algorithm', 'transfer-encoding',
  'x-amz-grant-read', 'x-amz-server-side-encryption', 'origin', 'host', 'authorization',
] // biome-ignore format: as a table
const bodies = [
  '', 'hello', '5\r\nhello\r\n0\r\n\r\n', '<Delete><Object><Key>odd/a</Key></Object></Delete>',
  '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"a"</ETag></Part></CompleteMultipartUpload>',
  '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>', '<a/>', '{}', '\u0000\u0001',
] // biome-ignore format: as a table

/** Requests in order, of all kinds. */
const kinds = (random: Random, { bucket, uploadId }: Place): RawRequest & { isChunked?: boolean } => {
  const key = `odd/${oneOf(random, ['a', 'b', 'c', 'there', 'upload'])}`
  const at = `/${bucket}/${key}`
  const body = Buffer.from(oneOf(random, bodies))
  return oneOf<RawRequest & { isChunked?: boolean }>(random, [
    { method: 'PUT', path: at, body },
    { method: 'PUT', path: at, body: Buffer.alloc(20_000, 'z') },
    { method: 'PUT', path: at, isChunked: true },
    { method: 'PUT', path: at, headers: { 'x-amz-copy-source': `/${bucket}/odd/there` } },
    { method: 'GET', path: at },
    { method: 'HEAD', path: at },
    { method: 'DELETE', path: at },
    { method: 'GET', path: at, query: [['tagging', '']] },
    { method: 'GET', path: at, query: [['attributes', '']], headers: { 'x-amz-object-attributes': 'ETag,ObjectParts' } },
    { method: 'PUT', path: at, query: [['tagging', '']], body },
    { method: 'POST', path: at, query: [['uploads', '']] },
    { method: 'PUT', path: `/${bucket}/odd/upload`, query: [['partNumber', '1'], ['uploadId', uploadId]], body },
    { method: 'POST', path: `/${bucket}/odd/upload`, query: [['uploadId', uploadId]], body },
    { method: 'GET', path: `/${bucket}/odd/upload`, query: [['uploadId', uploadId]] },
    { method: 'GET', path: `/${bucket}`, query: [['list-type', '2'], ['prefix', 'odd/']] },
    { method: 'GET', path: `/${bucket}`, query: [['uploads', '']] },
    { method: 'GET', path: `/${bucket}`, query: [['versions', '']] },
    { method: 'POST', path: `/${bucket}`, query: [['delete', '']], body },
    { method: 'GET', path: '/' },
    { method: 'HEAD', path: `/${bucket}` },
    { method: 'OPTIONS', path: at },
  ]) // biome-ignore format: as a table
}

const encodable = (text: string) =>
  encodeURI(text).replaceAll('%25', '%').replaceAll('#', '%23').replaceAll('?', '%3F')
const sendable = (text: string) => text.replace(/[^\x20-\x7e]/g, '~')

/** Changes a request before it is signed. */
const twisted = (random: Random, request: RawRequest): RawRequest => {
  const word = oneOf(random, words)
  switch (Math.floor(random() * 6)) {
    case 0:
      return {
        ...request,
        method: oneOf(random, ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH']),
      }
    case 1:
      return { ...request, path: request.path + encodable(word) }
    case 2:
      return { ...request, query: [...(request.query ?? []), [oneOf(random, parameters), word]] }
    case 3:
      return { ...request, body: Buffer.from(oneOf(random, bodies)) }
    case 4:
      return { ...request, payload: sendable(word) }
    default:
      return { ...request, headers: { ...request.headers, [oneOf(random, headers)]: sendable(word).trim() } }
  }
}

/** Changes the bytes of a request after it was signed. */
const damaged = (random: Random, head: string) => {
  const at = Math.floor(random() * (head.length - 4))
  switch (Math.floor(random() * 4)) {
    case 0:
      return head.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + head.slice(at + 1)
    case 1:
      return head.slice(0, at) + head.slice(at + 1 + Math.floor(random() * 20))
    case 2: {
      const lines = head.slice(0, -4).split('\r\n')
      lines.splice(1 + Math.floor(random() * (lines.length - 1)), 1)
      return `${lines.join('\r\n')}\r\n\r\n`
    }
    default: {
      const lines = head.slice(0, -4).split('\r\n')
      lines.push(oneOf(random, lines.slice(1)))
      return `${lines.join('\r\n')}\r\n\r\n`
    }
  }
}

const formRequest = (random: Random, { base, credentials, bucket }: Place) => {
  const { type, body } = postBody(credentials, bucket, 'odd/form')
  const text = chance(random, 0.8) ? damaged(random, body.toString('latin1')) : body.toString('latin1')
  const bytes = Buffer.from(text, 'latin1')
  const head = `POST /${bucket} HTTP/1.1\r\nhost: ${new URL(base).host}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\nconnection: close\r\n\r\n`
  return { head, body: bytes }
}

const signedRequest = (random: Random, place: Place, request: RawRequest & { isChunked?: boolean }) => {
  const { base, credentials } = place
  if (!request.isChunked) return sign(base, credentials, request, chance(random, 0.2) ? 60 : undefined)
  const data = [Buffer.alloc(8192, 'a'), Buffer.from('b')]
  const length = { 'x-amz-decoded-content-length': '8193' }
  const payload = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'
  const signed = sign(base, credentials, { payload, ...request, headers: { ...length, ...request.headers } })
  const body = chunkedBody(signed, data, {
    change: (piece) => (chance(random, 0.1) ? damaged(random, piece) : piece),
  })
  return { head: signed.head.replace(/content-length: \d+/, `content-length: ${body.length}`), body }
}

/** A request in which something is odd, and the key that it would write. */
export const oddRequest = (random: Random, place: Place) => {
  if (chance(random, 0.05)) {
    const form = formRequest(random, place)
    return { bytes: bytesOf(form), isCut: false, key: 'odd/form', method: 'POST' }
  }
  let request: RawRequest & { isChunked?: boolean } = kinds(random, place)
  while (chance(random, 0.5)) request = twisted(random, request)
  const signed = signedRequest(random, place, request)
  let { head } = signed
  while (chance(random, 0.25)) head = damaged(random, head)
  const [, declared] = /\r\ncontent-length: ?(\d+)\r\n/i.exec(head) ?? []
  const isCut =
    declared !== String(signed.body.length) ||
    /transfer-encoding|expect:/i.test(head) ||
    !head.endsWith('\r\n\r\n') ||
    chance(random, 0.02)
  const body = isCut ? signed.body.subarray(0, Math.floor(signed.body.length * random())) : signed.body
  const path = request.path.slice(place.bucket.length + 2)
  return {
    bytes: bytesOf({ head, body }),
    isCut,
    key: decoded(path),
    method: head.slice(0, head.indexOf(' ')),
  }
}

const decoded = (path: string) => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

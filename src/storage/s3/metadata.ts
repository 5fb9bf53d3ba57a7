import type { Metadata } from '../objects/objects.ts'
import { metadataInHeaders } from '../objects/write/headers.ts'
import { refuse } from './errors.ts'
import { plainHeaders, type S3Request } from './request.ts'

const prefix = 'x-amz-meta-'

/** Text in headers that is not ASCII (RFC 2047). */
const encodedWord = /^=\?utf-8\?([bq])\?([^?]*)\?=$/i

const decodeWord = (text: string) => {
  const [, kind, content = ''] = encodedWord.exec(text) ?? []
  if (kind === undefined) return text
  if (kind.toLowerCase() === 'b') return Buffer.from(content, 'base64').toString('utf8')
  const bytes = content
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const encodeWord = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

export const metadataOf = (request: S3Request): Metadata => {
  const headers = Object.entries(plainHeaders(request)).map(([name, value]) => [name, decodeWord(value)])
  try {
    return metadataInHeaders(Object.fromEntries(headers), prefix)
  } catch (error) {
    if (/at most \d+ bytes/.test((error as Error).message)) return refuse('MetadataTooLarge')
    throw error
  }
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export const metadataHeaders = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => token.test(name))
      .map(([name, value]) => [prefix + name.toLowerCase(), encodeWord(value)]),
  )

import type { KeptHeaders, Metadata } from '../objects/objects.ts'
import { checkMetadata, keptInHeaders, textsInHeaders } from '../objects/write/headers.ts'
import { refuse } from './errors.ts'
import { headerOf, plainHeaders, type S3Request } from './request.ts'

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

/** As S3 counts them: the bytes of all names and values in UTF-8, without the prefix. */
const maxMetadataBytes = 2048

export const metadataOf = (request: S3Request): Metadata => {
  const headers = Object.entries(plainHeaders(request)).map(([name, value]) => [name, decodeWord(value)])
  const texts = textsInHeaders(Object.fromEntries(headers), prefix)
  const Size = Buffer.byteLength(Object.entries(texts).flat().join(''))
  if (Size > maxMetadataBytes)
    refuse('MetadataTooLarge', undefined, { fields: { Size, MaxSizeAllowed: maxMetadataBytes } })
  return checkMetadata(texts)
}

/** How the body was sent is no property of the object. */
const withoutChunking = (encoding = '') =>
  encoding
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.toLowerCase() !== 'aws-chunked')
    .join(', ')

const storageClassHeader = 'x-amz-storage-class'
const redirectHeader = 'x-amz-website-redirect-location'

const usualClass = 'STANDARD'
const storageClasses = [
  usualClass,
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER',
  'GLACIER_IR',
  'DEEP_ARCHIVE',
  'OUTPOSTS',
  'SNOW',
  'EXPRESS_ONEZONE',
]

/** Where the bytes are does not depend on it. */
export const storageClassIn = (kept: KeptHeaders = {}) => kept[storageClassHeader] ?? usualClass

const maxRedirectBytes = 2048

/** What a copy does not take over from its source. */
export const ownKeptOf = (request: S3Request): KeptHeaders => {
  const storageClass = headerOf(request, storageClassHeader) ?? usualClass
  if (!storageClasses.includes(storageClass)) refuse('InvalidStorageClass')
  const redirect = headerOf(request, redirectHeader)
  const isSendable = redirect === undefined || /^(\/|https?:\/\/)[\x21-\x7e]*$/.test(redirect)
  if (!isSendable || (redirect?.length ?? 0) > maxRedirectBytes) refuse('InvalidRedirectLocation')
  return {
    ...(storageClass === usualClass ? {} : { [storageClassHeader]: storageClass }),
    ...(redirect === undefined ? {} : { [redirectHeader]: redirect }),
  }
}

export const withoutOwn = (kept: KeptHeaders): KeptHeaders => {
  const { [storageClassHeader]: _, [redirectHeader]: _redirect, ...rest } = kept
  return rest
}

/** Headers that are kept with an object and sent with each download. */
export const keptOf = (request: S3Request): KeptHeaders => {
  const headers = plainHeaders(request)
  const { expires = '' } = headers
  return {
    ...keptInHeaders({ ...headers, 'content-encoding': withoutChunking(headers['content-encoding']) }),
    ...(/^[\x20-\x7e]{1,100}$/.test(expires) ? { expires } : {}),
    ...ownKeptOf(request),
  }
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export const metadataHeaders = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => token.test(name))
      .map(([name, value]) => [prefix + name.toLowerCase(), encodeWord(value)]),
  )

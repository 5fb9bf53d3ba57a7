import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#platform/errors.ts'

/** The preconditions and ranges of HTTP (RFC 9110, sections 13 and 14). */

/** What tells one version of a response from another. */
export type Version = {
  etag: string
  lastModified: string | null
  /** Whether every change brings a new date. Where it does not, the date is shown but decides nothing. */
  isDated: boolean
}

/** What has a tag and no date. */
export const undated = (etag: string): Version => ({ etag, lastModified: null, isDated: false })

/** Headers that can make a response other than the whole content. */
export const conditionalHeaders = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
] as const

/** Tags are compared without their quotes: some clients leave them out. */
const opaque = (tag: string) => tag.replace(/^W\//, '').replace(/^"(.*)"$/s, '$1')

/** The weak comparison ignores that a tag is weak; in the strong one no weak tag matches. */
const tagsIn = (header: string, comparison: 'weak' | 'strong') => {
  if (header.trim() === '*') return ['*']
  const tags = header.split(',').map((item) => item.trim())
  // A quoted asterisk is an ordinary tag, which no content has.
  return tags
    .filter((tag) => comparison === 'weak' || !tag.startsWith('W/'))
    .map(opaque)
    .filter((tag) => tag !== '*')
}
const lists = (header: string, etag: string, comparison: 'weak' | 'strong') => {
  const tags = tagsIn(header, comparison)
  return tags.includes('*') || tags.includes(opaque(etag))
}

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const days = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun'
const time = String.raw`\d\d:\d\d:\d\d`
/** As it is sent, and the two forms of old, of which one leaves out that it is GMT. */
const httpDate = new RegExp(
  String.raw`^(?:(?:${days}), \d\d (?:${months}) \d{4} ${time} GMT|[A-Z][a-z]{2,5}day, \d\d-(?:${months})-\d\d ${time} GMT)$`,
)
const asctimeDate = new RegExp(String.raw`^(?:${days}) (?:${months}) [ \d]\d ${time} \d{4}$`)

/** A date in a header, in milliseconds. One that is no HTTP date is like none: `NaN`, which compares with nothing. */
const dateIn = (text: string) => {
  if (httpDate.test(text)) return Date.parse(text)
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}

const isAtLeast = (date: string, other: string) => dateIn(date) >= Date.parse(other)

/** Whether the client has this version already, so that a 304 will do. An entity tag decides alone where one is sent. */
export const isNotModified = (
  { 'if-none-match': tags, 'if-modified-since': since }: IncomingHttpHeaders,
  { etag, lastModified, isDated }: Version,
) => {
  if (tags !== undefined) return lists(tags, etag, 'weak')
  return since !== undefined && lastModified !== null && isDated && isAtLeast(since, lastModified)
}

export const preconditionFailed = (): never => {
  throw new AppError(412, 'Precondition failed')
}

/** Throws 412 where a reader asks for another version than this. */
export const requireVersion = (
  { 'if-match': tags, 'if-unmodified-since': since }: IncomingHttpHeaders,
  { etag, lastModified }: Version,
) => {
  if (tags !== undefined) {
    if (!lists(tags, etag, 'strong')) preconditionFailed()
  } else if (since !== undefined && lastModified !== null) {
    const isReadable = !Number.isNaN(dateIn(since))
    if (isReadable && !isAtLeast(since, lastModified)) preconditionFailed()
  }
}

export type WriteConditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }

export const writeConditions = (headers: IncomingHttpHeaders): WriteConditions => ({
  ifMatch: headers['if-match'],
  ifNoneMatch: headers['if-none-match'],
})

export const isConditional = ({ ifMatch, ifNoneMatch }: WriteConditions) =>
  ifMatch !== undefined || ifNoneMatch !== undefined

export const unconditional: WriteConditions = { ifMatch: undefined, ifNoneMatch: undefined }

/**
 * The conditions as lists of tags, for a database function that decides in its statement: only if the present content has
 * one of these, unless it has one of those. `*` is any content, null is no condition.
 */
export const tagLists = ({ ifMatch, ifNoneMatch }: WriteConditions) => ({
  onlyIf: ifMatch === undefined ? null : tagsIn(ifMatch, 'strong'),
  unless: ifNoneMatch === undefined ? null : tagsIn(ifNoneMatch, 'weak'),
})

/** Throws 412 where a write must not happen. `etag` is that of the content there is now, if there is any. */
export const checkWrite = ({ ifMatch, ifNoneMatch }: WriteConditions, etag: string | undefined) => {
  if (ifMatch !== undefined && (etag === undefined || !lists(ifMatch, etag, 'strong'))) preconditionFailed()
  if (ifNoneMatch !== undefined && etag !== undefined && lists(ifNoneMatch, etag, 'weak'))
    preconditionFailed()
}

/** Both ends are included. */
export type Range = { start: number; end: number }

/** The one range that was asked for. Null for the whole, which is also what several or malformed ranges get. */
export const rangeOf = (headers: IncomingHttpHeaders, size: number, version: Version): Range | null => {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (!ifRangeHolds(headers['if-range'], version)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  if (start >= size || (first === '' && Number(last) === 0))
    throw new AppError(416, 'Range not satisfiable', { headers: { 'content-range': `bytes */${size}` } })
  return { start, end }
}

const ifRangeHolds = (header: string | string[] | undefined, { etag, lastModified }: Version) => {
  if (typeof header !== 'string') return true
  if (header.startsWith('"')) return header === etag
  return lastModified !== null && dateIn(header) === Date.parse(lastModified)
}

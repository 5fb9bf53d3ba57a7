import { AppError } from '#platform/errors.ts'

/** The preconditions of HTTP (RFC 9110, section 13), on strong entity tags. */

type Headers = Record<string, string | string[] | undefined>
export type WriteConditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }

export const writeConditions = (headers: Headers): WriteConditions => ({
  ifMatch: headers['if-match'] as string | undefined,
  ifNoneMatch: headers['if-none-match'] as string | undefined,
})

export const unconditional: WriteConditions = { ifMatch: undefined, ifNoneMatch: undefined }

const preconditionFailed = (): never => {
  throw new AppError(412, 'Precondition failed')
}

const lists = (header: string, etag: string, weakly: boolean) =>
  header.trim() === '*' ||
  header.split(',').some((item) => {
    const tag = item.trim()
    const strong = weakly ? tag.replace(/^W\//, '') : tag
    return strong === `"${etag}"` || strong === etag
  })

/** `etag` is that of the object there is now, if there is one. */
export const checkWrite = ({ ifMatch, ifNoneMatch }: WriteConditions, etag: string | undefined) => {
  if (ifMatch !== undefined && (etag === undefined || !lists(ifMatch, etag, false))) preconditionFailed()
  if (ifNoneMatch !== undefined && etag !== undefined && lists(ifNoneMatch, etag, true)) preconditionFailed()
}

const seconds = (time: string | number) => Math.floor(new Date(time).getTime() / 1000)
const dateOf = (header: string | string[] | undefined) => {
  const time = typeof header === 'string' ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? null : seconds(time)
}

type Stored = { etag: string; stored_at: string }

/** Whether the client's copy is still good (304); throws 412 where it asked for another content than this. */
export const isUnchanged = (headers: Headers, { etag, stored_at }: Stored): boolean => {
  const { ifMatch, ifNoneMatch } = writeConditions(headers)
  if (ifMatch !== undefined) {
    if (!lists(ifMatch, etag, false)) preconditionFailed()
  } else {
    const unmodifiedSince = dateOf(headers['if-unmodified-since'])
    if (unmodifiedSince !== null && seconds(stored_at) > unmodifiedSince) preconditionFailed()
  }
  if (ifNoneMatch !== undefined) return lists(ifNoneMatch, etag, true)
  const modifiedSince = dateOf(headers['if-modified-since'])
  return modifiedSince !== null && seconds(stored_at) <= modifiedSince
}

export type Range = { start: number; end: number }

/** The one range that was asked for; null for the whole, which is also the answer to several or odd ones. */
export const rangeOf = (headers: Headers, size: number, stored: Stored): Range | null => {
  const header = headers.range
  const [, first, last] =
    /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/.exec(typeof header === 'string' ? header : '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (!ifRangeHolds(headers['if-range'], stored)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  if (start >= size || (first === '' && Number(last) === 0))
    throw new AppError(416, 'Range not satisfiable', { headers: { 'content-range': `bytes */${size}` } })
  return { start, end }
}

const ifRangeHolds = (header: string | string[] | undefined, { etag, stored_at }: Stored) => {
  if (typeof header !== 'string') return true
  if (header.startsWith('"')) return header === `"${etag}"`
  return dateOf(header) === seconds(stored_at)
}

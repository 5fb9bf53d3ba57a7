import { types as defaults } from 'pg'

/** `2026-11-15 03:00:00.12+00` → `2026-11-15T03:00:00.120Z` */
export const isoTime = (text: string) => {
  if (!text.endsWith('+00')) {
    const time = new Date(text) // the time zone of the session is not UTC
    return Number.isNaN(time.getTime()) ? text : time.toISOString() // infinity, or a year beyond 9999
  }
  if (text.length < 19) return text
  const fraction = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

const safeInteger = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a safe integer`)
  return value
}

const asText = (text: string) => text

type Parser = (text: string) => unknown

// The type declarations call it a function, but it is an object.
const arrays = defaults.arrayParser as unknown as {
  create(text: string, parse: Parser): { parse(): unknown[] }
}
const arrayOf =
  (parse: Parser): Parser =>
  (text) =>
    arrays.create(text, parse).parse()

/** Types, with their array types, that are not parsed as the driver does by default. */
const parsers = new Map<number, Parser>([
  [20, safeInteger],
  [1016, arrayOf(safeInteger)],
  [1700, asText], // numeric
  [1231, arrayOf(asText)],
  [1082, asText], // date
  [1182, arrayOf(asText)],
  [1114, asText], // timestamp
  [1115, arrayOf(asText)],
  [1184, isoTime],
  [1185, arrayOf(isoTime)],
  [1186, asText], // interval
])

/** How values of each type are returned: bigint as a safe integer, numeric and date as text, times as ISO 8601. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || defaults.getTypeParser(oid, format as 'text'),
}

import type { PostgresType } from 'postgres'

/** `2026-11-15 03:00:00.12+00` → `2026-11-15T03:00:00.120Z`; every connection speaks UTC. */
const isoTime = (text: string) => {
  if (text.length < 19 || !text.endsWith('+00')) return text // infinity, or a year beyond 9999
  const fraction = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

const safeInteger = (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a safe integer`)
  return value
}

const asText = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))
const same = (text: string) => text

const type = (oid: number, parse: (text: string) => unknown): PostgresType => ({
  to: oid,
  from: [oid],
  serialize: asText,
  parse,
})

/** How values come out of the database, decided here and nowhere else. */
export const types = {
  int8: type(20, safeInteger),
  numeric: type(1700, same),
  date: type(1082, same),
  timestamp: type(1114, same),
  timestamptz: type(1184, isoTime),
}

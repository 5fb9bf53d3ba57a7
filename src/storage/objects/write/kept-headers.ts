import { invalid } from '#platform/errors.ts'
import type { KeptHeaders } from '../store.ts'

type Headers = Record<string, string | string[] | undefined>

const maxLength = 1024
/** What can be sent in a header: no line breaks, and each character is one byte. */
const sendable = /^[\t\x20-\x7e\x80-\xff]*$/
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const tokens = new RegExp(`^${token}(?:[ \\t]*,[ \\t]*${token})*$`)
const languages = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*(?:[ \t]*,[ \t]*[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)*$/

/** Headers that are kept with an object, with the names of their fields in forms and JSON, and what they may hold. */
const kept = [
  { header: 'cache-control', name: 'Cache-Control', field: 'cacheControl', pattern: sendable },
  {
    header: 'content-disposition',
    name: 'Content-Disposition',
    field: 'contentDisposition',
    pattern: sendable,
  },
  { header: 'content-encoding', name: 'Content-Encoding', field: 'contentEncoding', pattern: tokens },
  { header: 'content-language', name: 'Content-Language', field: 'contentLanguage', pattern: languages },
] as const

type Fields = { [Field in (typeof kept)[number]['field']]?: string | null }

const check = (name: string, value: string, pattern: RegExp) => {
  if (value.length > maxLength) invalid(name, `must have at most ${maxLength} characters`)
  if (!pattern.test(value)) invalid(name, 'must be a valid header value')
  return value
}

/** `identity` means that there is no encoding. */
const isPlain = (header: string, value: string) =>
  value === '' || (header === 'content-encoding' && value.toLowerCase() === 'identity')

const collect = (values: { header: string; name: string; value: string; pattern: RegExp }[]): KeptHeaders =>
  Object.fromEntries(
    values
      .filter(({ header, value }) => !isPlain(header, value))
      .map(({ header, name, value, pattern }) => [header, check(name, value, pattern)]),
  )

/** Those of an upload whose body is the object. */
export const keptInHeaders = (headers: Headers) =>
  collect(kept.map((each) => ({ ...each, value: String(headers[each.header] ?? '').trim() })))

/** Those of a form, or of JSON. */
export const keptInFields = (fields: Fields) =>
  collect(kept.map((each) => ({ ...each, name: each.field, value: (fields[each.field] ?? '').trim() })))

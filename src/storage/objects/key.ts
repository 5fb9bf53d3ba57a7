import { badRequest, invalid } from '#platform/errors.ts'
import { noObject } from '../refusals.ts'

/** Which object: the key names it within its bucket. */
export type ObjectRef = { bucketId: string; key: string }

const maxCharacters = 1024
const control = /\p{Cc}/u

/** Keys are stored unchanged; only their length is limited, and control characters are rejected. */
export const checkKey = (key: string, field = 'objectKey'): string => {
  if (key === '') invalid(field, 'must not be empty')
  if (key.length > maxCharacters && [...key].length > maxCharacters)
    invalid(field, `must have at most ${maxCharacters} characters`)
  if (control.test(key) || !key.isWellFormed()) invalid(field, 'must not contain control characters')
  return key
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return badRequest('The path is not valid percent-encoded UTF-8')
  }
}

/** The key in a URL as it was sent, decoded once: what follows the first `segments` segments, without the suffix. */
export const keyInUrl = (url: string, segments: number, suffix = ''): string => {
  const path = url.replace(/[?#].*$/s, '').replace(/^https?:\/\/[^/]*/i, '')
  let at = 0
  for (let n = 0; n <= segments; n++) at = path.indexOf('/', at) + 1
  const key = path.slice(at, suffix ? -suffix.length : undefined)
  return key === '' ? noObject() : checkKey(decode(key))
}

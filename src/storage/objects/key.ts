import { badRequest, invalid, notFound } from '#platform/errors.ts'

const maxCharacters = 1024
const control = /\p{Cc}/u

/** Keys are kept as they are: only their length and control characters are looked at. */
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

/**
 * The key from the address as it was sent, decoded once: what comes after the bucket's own segment and, where
 * there is one, before the name of the operation.
 */
export const keyInUrl = (url: string, segments: number, suffix = ''): string => {
  const path = url.replace(/[?#].*$/s, '').replace(/^https?:\/\/[^/]*/i, '')
  let at = 0
  for (let n = 0; n <= segments; n++) at = path.indexOf('/', at) + 1
  const key = path.slice(at, suffix ? -suffix.length : undefined)
  return key === '' ? notFound() : checkKey(decode(key))
}

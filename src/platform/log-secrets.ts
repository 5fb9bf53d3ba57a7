import { pino } from 'pino'

export const mask = '***'
const maxDepth = 8

/** Pino masks these in the bindings of child loggers, which do not pass through `withoutSecrets`. */
export const secretNames = [
  ...['password', 'secret', 'token', 'signature', 'authorization', 'cookie', 'set-cookie', 'key'],
  ...['api-key', 'apiKey', 'api_key', 'access-key', 'accessKey', 'secret-key', 'secretKey', 'private-key'],
  ...['x-api-key', 'x-api-secret', 'accessToken', 'refreshToken', 'clientSecret'],
]
const secretName =
  /(?:^key|password|secret|token|signature|authorization|cookie|(?:api|access|secret|private)[-_]?key)s?$/i

const isPlainObject = (value: object): value is Record<string, unknown> => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Masks by name at any depth and in any case, and copies only what it changes. Pino's own wildcard paths cover only
 * fixed depths and made a line twenty times as expensive.
 */
export const withoutSecrets = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  if (!isPlainObject(value)) return value
  let clean = value
  for (const name in value) {
    const before = value[name]
    const after = secretName.test(name) ? mask : withoutSecrets(before, depth + 1)
    if (after === before) continue
    if (clean === value) clean = { ...value }
    clean[name] = after
  }
  return clean
}

export const errorWithoutSecrets = (error: unknown) =>
  withoutSecrets(error instanceof Error ? { ...pino.stdSerializers.err(error) } : error)

/** Longer URLs are cut: they are of no use in a log, and costly to search and to store. */
const maxUrlLength = 2_048
const passwordOfUser = /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*):[^/?#]*@/i

/** A URL fit for a log: without the values of secret query parameters or the password of a user, and cut. */
export const safeUrl = (url: string) => {
  const cut = url.length > maxUrlLength ? `${url.slice(0, maxUrlLength)}…` : url
  return withoutSecretParameters(cut.startsWith('/') ? cut : cut.replace(passwordOfUser, `$1:${mask}@`))
}

const withoutSecretParameters = (url: string) => {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  const end = url.indexOf('#', start)
  const query = end < 0 ? url.slice(start) : url.slice(start, end)
  const safe = query.split('&').map(withoutSecretValue).join('&')
  return `${url.slice(0, start)}${safe}${end < 0 ? '' : url.slice(end)}`
}

/** Some servers read a second question mark as the beginning of a name. */
const withoutSecretValue = (parameter: string) => {
  const equals = parameter.indexOf('=')
  if (equals < 0) return parameter
  const name = decoded(parameter.slice(parameter.lastIndexOf('?', equals) + 1, equals))
  const isSecret = name.toLowerCase() === 'code' || secretName.test(name)
  return isSecret ? `${parameter.slice(0, equals)}=${mask}` : parameter
}

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

export const serviceNames = ['storage', 'publishing', 'inventory'] as const
export type ServiceName = (typeof serviceNames)[number]
/** What listens on a port of its own: each service, and the S3 endpoint of storage. */
export type ListenerName = ServiceName | 's3'

/** What a process with these services listens for. */
export const listenersOf = (names: readonly ServiceName[]): ListenerName[] =>
  names.flatMap((name): ListenerName[] => (name === 'storage' ? [name, 's3'] : [name]))

/** A kind of value. `accepts` completes the sentence "must be …", and `read` returns undefined for invalid text. */
export type Kind<T> = { accepts: string; read(text: string): T | undefined; secret?: true }

export const anyText = (accepts: string): Kind<string> => ({ accepts, read: (text) => text })

export const secretText = (accepts: string, minLength = 1): Kind<string> => ({
  accepts,
  secret: true,
  read: (text) => (text.length >= minLength ? text : undefined),
})

const wholeNumber = (accepts: string, min: number, max: number): Kind<number> => ({
  accepts,
  read: (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : undefined
  },
})

export const oneOf = <const T extends string>(words: readonly T[]): Kind<T> => ({
  accepts: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word === text),
})

export const onOff: Kind<boolean> = {
  accepts: 'on or off',
  read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
}

export const longSecret = secretText('at least 16 characters long', 16)

export const byteCount = wholeNumber('a whole number of bytes from 1', 1, Number.MAX_SAFE_INTEGER)

export const spareBytes = wholeNumber('a whole number of bytes from 0', 0, Number.MAX_SAFE_INTEGER)

export const days = wholeNumber('a whole number of days from 1 to 3650', 1, 3650)

export const seconds = wholeNumber('a whole number of seconds from 0 to 300', 0, 300)

export const internalPath: Kind<string> = {
  accepts: 'a path such as /blobs',
  read: (text) => (/^(\/[A-Za-z0-9._~-]+)+$/.test(text) ? text : undefined),
}

export const port = wholeNumber('a port number from 0 to 65535', 0, 65535)

export const proxies: Kind<number> = {
  accepts: 'off or the number of proxies in front, from 1 to 10',
  read: (text) => (text === 'off' ? 0 : wholeNumber('', 1, 10).read(text)),
}

const maxWorkers = 64

export const workerCount: Kind<number> = {
  accepts: `auto or a whole number from 1 to ${maxWorkers}`,
  read: (text) =>
    text === 'auto'
      ? Math.min(availableParallelism(), maxWorkers)
      : wholeNumber('', 1, maxWorkers).read(text),
}

export const domain: Kind<string> = {
  accepts: 'a domain name such as s3.example.org',
  read: (text) => (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text.toLowerCase() : undefined),
}

export const listenAddress: Kind<string> = {
  accepts: 'an IP address or a host name',
  read: (text) => (isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined),
}

const items = (text: string) => text.split(',').map((item) => item.trim())

export const services: Kind<ServiceName[]> = {
  accepts: `a comma list of ${serviceNames.join(', ')}, each at most once`,
  read: (text) => {
    const names = items(text)
    const chosen = serviceNames.filter((name) => names.includes(name))
    return chosen.length === names.length ? chosen : undefined
  },
}

const isOrigin = (text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text

export const origins: Kind<'*' | string[]> = {
  accepts: '* or a comma list of origins such as https://example.org',
  read: (text) => (text === '*' ? text : items(text).every(isOrigin) ? items(text) : undefined),
}

export const publicAddress: Kind<string> = {
  accepts: 'an http or https address without query, such as https://example.org',
  read: (text) => {
    const url = URL.parse(text)
    const fits =
      url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
    return fits ? url.href.replace(/\/+$/, '') : undefined
  },
}

export const webAddress: Kind<string> = {
  accepts: 'an http or https address, such as https://hub.example.org/',
  read: (text) => {
    const url = URL.parse(text)
    return url && /^https?:$/.test(url.protocol) && !url.hash ? url.href : undefined
  },
}

export const line = (max: number): Kind<string> => ({
  accepts: `one line of 1 to ${max} characters`,
  read: (text) => (/^[^\p{Cc}]+$/u.test(text) && [...text].length <= max ? text : undefined),
})

export const color: Kind<string> = {
  accepts: 'a colour such as #0f766e',
  read: (text) => (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined),
}

export const language: Kind<string> = {
  accepts: 'a language such as en, de or pt-BR',
  read: (text) => {
    try {
      return Intl.getCanonicalLocales(text)[0]
    } catch {
      return undefined
    }
  },
}

const mailAddress = /^[^\s@<>:/]+@[^\s@<>:/]+$/

/** An email address becomes a `mailto:` URI. */
export const contact: Kind<string> = {
  accepts: 'an email address or an https address',
  read: (text) => {
    if (mailAddress.test(text)) return `mailto:${text}`
    return URL.parse(text)?.protocol === 'https:' ? new URL(text).href : undefined
  },
}

/** A PostgreSQL address may list several hosts, which is not valid in a URL. Keeps the first. */
const firstHost = (address: string) => address.replace(/,[^/?#@]*(?=[/?#]|$)/, '')

/** The address of a server. It may contain a password, so error messages do not quote it. */
export const serverAddress = (...schemes: string[]): Kind<string> => ({
  accepts: `an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  secret: true,
  read: (text) =>
    schemes.some((scheme) => URL.parse(firstHost(text))?.protocol === `${scheme}:`) ? text : undefined,
})

const anyPostgres = serverAddress('postgres', 'postgresql')
/** Those of libpq for whoever writes; of several hosts the first that accepts writes is taken anyway. */
const writableTargets = ['any', 'read-write', 'primary']

export const postgresAddress: Kind<string> = {
  ...anyPostgres,
  accepts: `${anyPostgres.accepts}, with target_session_attrs, if any, one of ${writableTargets.join(', ')}`,
  read: (text) => {
    const target = /[?&]target_session_attrs=([^&#]*)/.exec(text)?.[1]
    return target === undefined || writableTargets.includes(target) ? anyPostgres.read(text) : undefined
  },
}

type BlobLocation =
  | { kind: 'file'; path?: string }
  | { kind: 's3'; bucket: string; endpoint?: string; region?: string }

const blobFolder = (text: string): BlobLocation | undefined => {
  if (text === 'file:') return { kind: 'file' }
  if (!text.startsWith('file:/')) return { kind: 'file', path: text.slice('file:'.length) }
  return URL.parse(text)?.host === '' ? { kind: 'file', path: fileURLToPath(text) } : undefined
}

const blobBucket = (text: string): BlobLocation | undefined => {
  const [, bucket, query] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)\/?(?:\?(.*))?$/.exec(text) ?? []
  const { endpoint, region, ...unknown } = Object.fromEntries(new URLSearchParams(query))
  const server = endpoint && publicAddress.read(endpoint)
  if (!bucket || (endpoint && !server) || Object.keys(unknown).length > 0) return undefined
  return { kind: 's3', bucket, ...(server && { endpoint: server }), ...(region && { region }) }
}

export const blobAddress: Kind<BlobLocation> = {
  accepts: 'file:, file:<folder> or s3://<bucket>?endpoint=<address>&region=<region>',
  secret: true,
  read: (text) => (text.startsWith('file:') ? blobFolder(text) : blobBucket(text)),
}

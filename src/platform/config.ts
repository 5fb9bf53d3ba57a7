import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { OperatorError } from '#platform/errors.ts'
import { logLevels } from '#platform/log.ts'

const serviceNames = ['storage', 'publishing', 'inventory'] as const
export type ServiceName = (typeof serviceNames)[number]

type Environment = Record<string, string | undefined>

/** A setting that cannot be used; the message is one line and holds no secret. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

/** A kind of value: what it accepts, in words that follow "must be", and how it is read (undefined: refused). */
type Kind<T> = { accepts: string; read(text: string): T | undefined; secret?: true }

const anyText = (accepts: string): Kind<string> => ({ accepts, read: (text) => text })

const secretText = (accepts: string, minLength = 1): Kind<string> => ({
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

const oneOf = <const T extends string>(words: readonly T[]): Kind<T> => ({
  accepts: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word === text),
})

const onOff: Kind<boolean> = {
  accepts: 'on or off',
  read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
}

const longSecret = secretText('at least 16 characters long', 16)

const byteCount = wholeNumber('a whole number of bytes from 1', 1, Number.MAX_SAFE_INTEGER)

const spareBytes = wholeNumber('a whole number of bytes from 0', 0, Number.MAX_SAFE_INTEGER)

const days = wholeNumber('a whole number of days from 1 to 3650', 1, 3650)

const seconds = wholeNumber('a whole number of seconds from 0 to 300', 0, 300)

const internalPath: Kind<string> = {
  accepts: 'a path such as /blobs',
  read: (text) => (/^(\/[A-Za-z0-9._~-]+)+$/.test(text) ? text : undefined),
}

const port = wholeNumber('a port number from 0 to 65535', 0, 65535)

const proxies: Kind<number> = {
  accepts: 'off or the number of proxies in front, from 1 to 10',
  read: (text) => (text === 'off' ? 0 : wholeNumber('', 1, 10).read(text)),
}

const listenAddress: Kind<string> = {
  accepts: 'an IP address or a host name',
  read: (text) => (isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined),
}

const items = (text: string) => text.split(',').map((item) => item.trim())

const services: Kind<ServiceName[]> = {
  accepts: `a comma list of ${serviceNames.join(', ')}, each at most once`,
  read: (text) => {
    const names = items(text)
    const chosen = serviceNames.filter((name) => names.includes(name))
    return chosen.length === names.length ? chosen : undefined
  },
}

const isOrigin = (text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text

const origins: Kind<'*' | string[]> = {
  accepts: '* or a comma list of origins such as https://example.org',
  read: (text) => (text === '*' ? text : items(text).every(isOrigin) ? items(text) : undefined),
}

const publicAddress: Kind<string> = {
  accepts: 'an http or https address without query, such as https://example.org',
  read: (text) => {
    const url = URL.parse(text)
    const fits =
      url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
    return fits ? url.href.replace(/\/+$/, '') : undefined
  },
}

/** PostgreSQL addresses may list several hosts, which a URL may not. */
const oneHost = (address: string) => address.replace(/,[^/?#@]*(?=[/?#]|$)/, '')

/** The address of a server. It may hold a password, so a wrong one is never shown. */
const serverAddress = (...schemes: string[]): Kind<string> => ({
  accepts: `an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  secret: true,
  read: (text) =>
    schemes.some((scheme) => URL.parse(oneHost(text))?.protocol === `${scheme}:`) ? text : undefined,
})

const postgresAddress = serverAddress('postgres', 'postgresql')

type BlobPlace =
  | { kind: 'file'; path?: string }
  | { kind: 's3'; bucket: string; endpoint?: string; region?: string }

const blobFolder = (text: string): BlobPlace | undefined => {
  if (text === 'file:') return { kind: 'file' }
  if (!text.startsWith('file:/')) return { kind: 'file', path: text.slice('file:'.length) }
  return URL.parse(text)?.host === '' ? { kind: 'file', path: fileURLToPath(text) } : undefined
}

const blobBucket = (text: string): BlobPlace | undefined => {
  const [, bucket, query] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)\/?(?:\?(.*))?$/.exec(text) ?? []
  const { endpoint, region, ...unknown } = Object.fromEntries(new URLSearchParams(query))
  const server = endpoint && publicAddress.read(endpoint)
  if (!bucket || (endpoint && !server) || Object.keys(unknown).length > 0) return undefined
  return { kind: 's3', bucket, ...(server && { endpoint: server }), ...(region && { region }) }
}

const blobAddress: Kind<BlobPlace> = {
  accepts: 'file:, file:<folder> or s3://<bucket>?endpoint=<address>&region=<region>',
  secret: true,
  read: (text) => (text.startsWith('file:') ? blobFolder(text) : blobBucket(text)),
}

type Variable<T> = { kind: Kind<T>; fallback?: string; without: string; about: string }

const withDefault = <T>(kind: Kind<T>, fallback: string, about: string) => {
  return { kind, fallback, without: fallback, about }
}
const optional = <T>(kind: Kind<T>, without: string, about: string): Variable<T> => ({ kind, without, about })

/** Every variable there is. `without` says what holds when it is not set. */
export const variables = {
  TRIVET_DATA: withDefault(anyText('a folder'), './data', 'Folder for database, blobs, outbox and secrets'),
  TRIVET_SERVICES: withDefault(services, serviceNames.join(','), 'The services this process serves'),
  HOST: withDefault(listenAddress, '127.0.0.1', 'Address to listen on'),
  STORAGE_PORT: withDefault(port, '4001', 'Port of storage'),
  PUBLISHING_PORT: withDefault(port, '4002', 'Port of publishing'),
  INVENTORY_PORT: withDefault(port, '4003', 'Port of inventory'),
  STORAGE_URL: optional(publicAddress, 'http://localhost:<port>', 'Public address of storage'),
  PUBLISHING_URL: optional(publicAddress, 'http://localhost:<port>', 'Public address of publishing'),
  INVENTORY_URL: optional(publicAddress, 'http://localhost:<port>', 'Public address of inventory (no /api)'),
  DATABASE_URL: optional(postgresAddress, 'embedded, in TRIVET_DATA', 'A PostgreSQL server'),
  BLOBS_URL: withDefault(blobAddress, 'file:', 'Where object bytes live: a folder or an S3 bucket'),
  AWS_ACCESS_KEY_ID: optional(secretText('a key id'), 'the usual AWS sources', 'Credentials of the bucket'),
  AWS_SECRET_ACCESS_KEY: optional(secretText('a key'), 'the usual AWS sources', 'Credentials of the bucket'),
  AWS_SESSION_TOKEN: optional(secretText('a token'), 'none', 'Credentials of the bucket'),
  AWS_REGION: withDefault(anyText('a region'), 'us-east-1', 'Region of the bucket, if BLOBS_URL names none'),
  REDIS_URL: optional(
    serverAddress('redis', 'rediss', 'unix'),
    'in process',
    'Rate-limit counters that nodes share',
  ),
  SMTP_URL: optional(serverAddress('smtp', 'smtps'), '.eml files in TRIVET_DATA/outbox', 'A mail server'),
  STRIPE_SECRET_KEY: optional(secretText('a Stripe key'), 'sandbox payments', 'Card payments'),
  STRIPE_WEBHOOK_SECRET: optional(secretText('a Stripe secret'), 'sandbox payments', 'Card payments'),
  STRIPE_API_URL: optional(publicAddress, 'https://api.stripe.com', 'Where Stripe answers, if elsewhere'),
  RATE_LIMITS: withDefault(onOff, 'on', 'off for load tests'),
  STORAGE_MAX_UPLOAD_BYTES: withDefault(byteCount, '1073741824', 'Largest upload'),
  MIN_FREE_BYTES: optional(
    spareBytes,
    '536870912, or a twentieth of a smaller disk',
    'Free space below which uploads are refused',
  ),
  STORAGE_RETENTION_DAYS: withDefault(days, '30', 'Days until deleted objects and old versions go for good'),
  STORAGE_ACCEL_PREFIX: optional(
    internalPath,
    'bytes are sent by Trivet',
    'nginx: internal location of the blobs folder, for X-Accel-Redirect',
  ),
  TRUST_PROXY: withDefault(proxies, 'off', 'Number of proxies in front whose X-Forwarded-* count'),
  DRAIN_SECONDS: optional(
    seconds,
    '5, or 0 if only this machine can ask',
    'How long before it stops a node says so, on SIGTERM',
  ),
  TLS_CERT: optional(anyText('a file'), 'plain http', 'Certificate chain (PEM) to serve https with'),
  TLS_KEY: optional(anyText('a file'), 'plain http', 'Private key (PEM) of that certificate'),
  ALLOW_HTTP: withDefault(onOff, 'off', 'on to serve plain http beyond this machine'),
  TRIVET_SECRET: optional(
    longSecret,
    'made once, kept in TRIVET_DATA',
    'Signs tokens, encrypts secrets at rest',
  ),
  LOG_LEVEL: withDefault(oneOf(logLevels), 'info', `Least level to log: ${logLevels.join(', ')}`),
  CORS_ORIGINS: withDefault(origins, '*', 'Origins whose pages may call the JSON APIs'),
}

type Table = typeof variables
type ReadAs<V> = V extends { kind: Kind<infer T> }
  ? V extends { fallback: string }
    ? T
    : T | undefined
  : never
type Values = { [Name in keyof Table]: ReadAs<Table[Name]> }

const readValue = (name: string, { kind, fallback }: Variable<unknown>, env: Environment) => {
  // An empty value counts as none: this is how a variable is switched off for one command.
  const text = env[name]?.trim() || fallback
  if (text === undefined) return undefined
  const value = kind.read(text)
  if (value !== undefined) return value
  throw new ConfigError(
    `${name} must be ${kind.accepts}${kind.secret ? '' : `, not ${JSON.stringify(text)}`}`,
  )
}

const readValues = (env: Environment) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [name, readValue(name, variable, env)]),
  ) as Values

const refuse = (message: string): never => {
  throw new ConfigError(message)
}

type Texts = { [Name in keyof Values]: Values[Name] extends string | undefined ? Name : never }[keyof Values]

/** Both, or neither: half of a pair is a mistake. */
const pair = (values: Values, first: Texts, second: Texts) => {
  const [one, other] = [values[first], values[second]]
  if (one && other) return [one, other] as const
  const [present, missing] = one ? [first, second] : [second, first]
  return one || other ? refuse(`${present} is set without ${missing}: set both or neither`) : undefined
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
export const isLoopback = (host: string) =>
  isIP(host) > 0
    ? loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
    : host.toLowerCase() === 'localhost'

const checkHost = (values: Values) => {
  if (isLoopback(values.HOST) || values.TLS_CERT || values.TRUST_PROXY || values.ALLOW_HTTP) return
  refuse(
    `HOST ${values.HOST} is open to other machines over plain http: set TLS_CERT and TLS_KEY, ` +
      'or TRUST_PROXY behind a proxy that speaks https, or ALLOW_HTTP=on',
  )
}

const checkPorts = (services: ServiceName[], ports: Record<ServiceName, number>) => {
  const variableOf = (name: ServiceName) => `${name.toUpperCase()}_PORT`
  services.forEach((name, index) => {
    const twin = services
      .slice(0, index)
      .find((earlier) => ports[earlier] === ports[name] && ports[name] !== 0)
    if (twin)
      refuse(`${variableOf(twin)} and ${variableOf(name)} are both ${ports[name]}: give each its own port`)
  })
}

/** The address of a service on this machine, for when no public one is configured. */
const localUrl = (port: number, tls: boolean) => `${tls ? 'https' : 'http'}://localhost:${port}`

const blobsOf = (values: Values, dataDir: string, cwd: string) => {
  const place = values.BLOBS_URL
  if (place.kind === 'file') {
    return { kind: place.kind, dir: place.path ? resolve(cwd, place.path) : join(dataDir, 'blobs') }
  }
  const keys = pair(values, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY')
  const session = values.AWS_SESSION_TOKEN && { sessionToken: values.AWS_SESSION_TOKEN }
  const credentials = keys && { accessKeyId: keys[0], secretAccessKey: keys[1], ...session }
  return { region: values.AWS_REGION, ...place, credentials }
}

const deepFreeze = <T extends object>(value: T): T => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}

/** The whole configuration from an environment. Relative paths count from `cwd`. */
export const readConfig = (env: Environment, cwd: string) => {
  const values = readValues(env)
  const { STORAGE_PORT: storage, PUBLISHING_PORT: publishing, INVENTORY_PORT: inventory } = values
  const ports = { storage, publishing, inventory }
  const dataDir = resolve(cwd, values.TRIVET_DATA)
  const tls = pair(values, 'TLS_CERT', 'TLS_KEY')
  const stripe = pair(values, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
  checkHost(values)
  checkPorts(values.TRIVET_SERVICES, ports)
  return deepFreeze({
    dataDir,
    host: values.HOST,
    services: values.TRIVET_SERVICES,
    ports,
    urls: {
      storage: values.STORAGE_URL ?? localUrl(storage, Boolean(tls)),
      publishing: values.PUBLISHING_URL ?? localUrl(publishing, Boolean(tls)),
      inventory: values.INVENTORY_URL ?? localUrl(inventory, Boolean(tls)),
    },
    databaseUrl: values.DATABASE_URL,
    blobs: blobsOf(values, dataDir, cwd),
    redisUrl: values.REDIS_URL,
    smtpUrl: values.SMTP_URL,
    stripe: stripe && {
      secretKey: stripe[0],
      webhookSecret: stripe[1],
      ...(values.STRIPE_API_URL && { apiUrl: values.STRIPE_API_URL }),
    },
    rateLimits: values.RATE_LIMITS,
    maxUploadBytes: values.STORAGE_MAX_UPLOAD_BYTES,
    minFreeBytes: values.MIN_FREE_BYTES,
    retentionDays: values.STORAGE_RETENTION_DAYS,
    accelPrefix: values.STORAGE_ACCEL_PREFIX,
    trustProxy: values.TRUST_PROXY,
    drainSeconds: values.DRAIN_SECONDS ?? (isLoopback(values.HOST) && !values.TRUST_PROXY ? 0 : 5),
    tls: tls && { certPath: resolve(cwd, tls[0]), keyPath: resolve(cwd, tls[1]) },
    allowHttp: values.ALLOW_HTTP,
    secret: values.TRIVET_SECRET,
    logLevel: values.LOG_LEVEL,
    corsOrigins: values.CORS_ORIGINS,
  })
}

export type Config = ReturnType<typeof readConfig>

const readEnvFile = (path: string): Environment => {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    return refuse(`The file ${path} cannot be read (${code}): correct or remove it`)
  }
}

/** The configuration of this process: its environment, and behind it the file `.env` in the current folder. */
export const loadConfig = (env: Environment = process.env, cwd = process.cwd()) =>
  readConfig({ ...readEnvFile(join(cwd, '.env')), ...env }, cwd)

import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { OperatorError } from '#platform/errors.ts'
import { type Kind, type ListenerName, listenersOf, type ServiceName } from './config/kinds.ts'
import { type Variable, variables } from './config/variables.ts'

export { type ListenerName, listenersOf, type ServiceName } from './config/kinds.ts'
export { variables } from './config/variables.ts'

type Environment = Record<string, string | undefined>

/** A setting that cannot be used. The message is one line and contains no secret. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

type Table = typeof variables
type ReadAs<V> = V extends { kind: Kind<infer T> }
  ? V extends { fallback: string }
    ? T
    : T | undefined
  : never
type Values = { [Name in keyof Table]: ReadAs<Table[Name]> }

const readValue = (name: string, { kind, fallback }: Variable<unknown>, env: Environment) => {
  // An empty value counts as not set, so that a variable can be unset for one command.
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

/** Two variables that must be set together. */
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

const checkPorts = (services: ServiceName[], ports: Record<ListenerName, number>) => {
  const variableOf = (name: ListenerName) => `${name.toUpperCase()}_PORT`
  const listeners = listenersOf(services)
  listeners.forEach((name, index) => {
    const other = listeners
      .slice(0, index)
      .find((earlier) => ports[earlier] === ports[name] && ports[name] !== 0)
    if (other)
      refuse(`${variableOf(other)} and ${variableOf(name)} are both ${ports[name]}: give each its own port`)
  })
}

/** The address of a service on this machine, used when no public one is configured. */
const localUrl = (port: number, tls: boolean) => `${tls ? 'https' : 'http'}://localhost:${port}`

const blobsOf = (values: Values, dataDir: string, cwd: string) => {
  const location = values.BLOBS_URL
  if (location.kind === 'file') {
    return { kind: location.kind, dir: location.path ? resolve(cwd, location.path) : join(dataDir, 'blobs') }
  }
  const keys = pair(values, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY')
  const session = values.AWS_SESSION_TOKEN && { sessionToken: values.AWS_SESSION_TOKEN }
  const credentials = keys && { accessKeyId: keys[0], secretAccessKey: keys[1], ...session }
  return { region: values.AWS_REGION, ...location, credentials }
}

const present = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>
  }

/** What the environment says about the instance; long texts and the logo are in files. */
const instanceOf = (values: Values, cwd: string) => {
  const files = present({
    logo: values.INSTANCE_LOGO,
    rules: values.INSTANCE_RULES,
    privacy: values.INSTANCE_PRIVACY,
    imprint: values.INSTANCE_IMPRINT,
  })
  return {
    texts: present({
      name: values.INSTANCE_NAME,
      description: values.INSTANCE_DESCRIPTION,
      color: values.INSTANCE_COLOR,
      language: values.INSTANCE_LANGUAGE,
      contact: values.INSTANCE_CONTACT,
    }),
    files: Object.fromEntries(Object.entries(files).map(([name, path]) => [name, resolve(cwd, path)])),
  }
}

const deepFreeze = <T extends object>(value: T): T => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}

/** Reads the configuration from an environment. Paths are relative to `cwd`. */
export const readConfig = (env: Environment, cwd: string) => {
  const values = readValues(env)
  const {
    STORAGE_PORT: storage,
    PUBLISHING_PORT: publishing,
    INVENTORY_PORT: inventory,
    S3_PORT: s3,
  } = values
  const ports = { storage, publishing, inventory, s3 }
  const dataDir = resolve(cwd, values.TRIVET_DATA)
  const tls = pair(values, 'TLS_CERT', 'TLS_KEY')
  const stripe = pair(values, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
  checkHost(values)
  checkPorts(values.TRIVET_SERVICES, ports)
  return deepFreeze({
    dataDir,
    host: values.HOST,
    services: values.TRIVET_SERVICES,
    workers: values.TRIVET_WORKERS,
    ports,
    urls: {
      storage: values.STORAGE_URL ?? localUrl(storage, Boolean(tls)),
      publishing: values.PUBLISHING_URL ?? localUrl(publishing, Boolean(tls)),
      inventory: values.INVENTORY_URL ?? localUrl(inventory, Boolean(tls)),
      s3: values.S3_URL ?? localUrl(s3, Boolean(tls)),
    },
    websubHub: values.PUBLISHING_WEBSUB_HUB,
    s3Domain: values.S3_DOMAIN,
    databaseUrl: values.DATABASE_URL,
    pgBin: values.PG_BIN === undefined ? undefined : resolve(cwd, values.PG_BIN),
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
    eventsRetentionDays: values.EVENTS_RETENTION_DAYS,
    webhooksAllowPrivate: values.WEBHOOKS_ALLOW_PRIVATE,
    accelPrefix: values.STORAGE_ACCEL_PREFIX,
    trustProxy: values.TRUST_PROXY,
    drainSeconds: values.DRAIN_SECONDS ?? (isLoopback(values.HOST) && !values.TRUST_PROXY ? 0 : 5),
    tls: tls && { certPath: resolve(cwd, tls[0]), keyPath: resolve(cwd, tls[1]) },
    allowHttp: values.ALLOW_HTTP,
    secret: values.TRIVET_SECRET,
    securityContact: values.SECURITY_CONTACT,
    instance: instanceOf(values, cwd),
    logLevel: values.LOG_LEVEL,
    corsOrigins: values.CORS_ORIGINS,
    /** `npm run dev`, which sets it. */
    isDevelopment: false as boolean,
    client: { url: values.TRIVET_URL, apiKey: values.TRIVET_API_KEY },
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

/** The configuration of this process: its environment, which takes precedence over the file `.env` in the current folder. */
export const loadConfig = (env: Environment = process.env, cwd = process.cwd()) =>
  readConfig({ ...readEnvFile(join(cwd, '.env')), ...env }, cwd)

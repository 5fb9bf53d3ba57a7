import { color, instanceDescription, instanceName, language } from '#platform/instance/settings.ts'
import { logLevels } from '#platform/log.ts'
import {
  anyText,
  blobAddress,
  byteCount,
  contact,
  days,
  domain,
  internalPath,
  type Kind,
  listenAddress,
  longSecret,
  oneOf,
  onOff,
  origins,
  port,
  postgresAddress,
  proxies,
  publicAddress,
  seconds,
  secretText,
  serverAddress,
  serviceNames,
  services,
  spareBytes,
  webAddress,
  workerCount,
} from './kinds.ts'

/** `without` describes what applies when the variable is not set. */
export type Variable<T> = { kind: Kind<T>; fallback?: string; without: string; about: string }

const withDefault = <T>(kind: Kind<T>, fallback: string, about: string) => {
  return { kind, fallback, without: fallback, about }
}
const optional = <T>(kind: Kind<T>, without: string, about: string): Variable<T> => ({ kind, without, about })

/** Every variable that Trivet reads, with its default and its description in the help. */
export const variables = {
  TRIVET_DATA: withDefault(anyText('a folder'), './data', 'Folder for database, blobs, outbox and secrets'),
  TRIVET_SERVICES: withDefault(services, serviceNames.join(','), 'The services this process serves'),
  TRIVET_WORKERS: withDefault(workerCount, '1', 'Processes that serve; auto: as many as there are cores'),
  HOST: withDefault(listenAddress, '127.0.0.1', 'Address to listen on'),
  STORAGE_PORT: withDefault(port, '4001', 'Port of storage'),
  PUBLISHING_PORT: withDefault(port, '4002', 'Port of publishing'),
  INVENTORY_PORT: withDefault(port, '4003', 'Port of inventory'),
  S3_PORT: withDefault(port, '4004', 'Port of the S3 endpoint, served with storage'),
  STORAGE_URL: optional(publicAddress, 'http://localhost:<port>', 'Public address of storage'),
  PUBLISHING_URL: optional(publicAddress, 'http://localhost:<port>', 'Public address of publishing'),
  INVENTORY_URL: optional(publicAddress, 'http://localhost:<port>', 'Public address of inventory (no /api)'),
  S3_URL: optional(publicAddress, 'http://localhost:<port>', 'Public address of the S3 endpoint'),
  S3_DOMAIN: optional(domain, 'bucket names in paths only', 'Domain below which each bucket has a host name'),
  PUBLISHING_WEBSUB_HUB: optional(
    webAddress,
    'feeds name no hub',
    'A WebSub hub that feeds name and that is told of new posts',
  ),
  DATABASE_URL: optional(postgresAddress, 'embedded, in TRIVET_DATA', 'A PostgreSQL server'),
  BLOBS_URL: withDefault(
    blobAddress,
    'file:',
    'Where files live (objects, pictures): a folder or an S3 bucket',
  ),
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
  STRIPE_API_URL: optional(publicAddress, 'https://api.stripe.com', 'Address of the Stripe API'),
  RATE_LIMITS: withDefault(onOff, 'on', 'Rate limits; off for load tests'),
  STORAGE_MAX_UPLOAD_BYTES: withDefault(byteCount, '1073741824', 'Largest upload'),
  MIN_FREE_BYTES: optional(
    spareBytes,
    '536870912, or a twentieth of a smaller disk',
    'Free space below which uploads are refused',
  ),
  STORAGE_RETENTION_DAYS: withDefault(
    days,
    '30',
    'Days until buckets without rules of their own purge deleted objects and versions',
  ),
  STORAGE_ACCEL_PREFIX: optional(
    internalPath,
    'Trivet sends the bytes itself',
    'nginx: internal location of the blobs folder, for X-Accel-Redirect',
  ),
  EVENTS_RETENTION_DAYS: withDefault(days, '30', 'Days until events and deliveries to webhooks are removed'),
  WEBHOOKS_ALLOW_PRIVATE: withDefault(
    onOff,
    'off',
    'on to let webhooks reach private addresses and plain http',
  ),
  TRUST_PROXY: withDefault(
    proxies,
    'off',
    'Number of proxies in front whose X-Forwarded-* headers are trusted',
  ),
  DRAIN_SECONDS: optional(
    seconds,
    '5, or 0 if only this machine can connect',
    'Seconds after SIGTERM in which a node serves but reports that it is not ready',
  ),
  TLS_CERT: optional(anyText('a file'), 'plain http', 'Certificate chain (PEM) to serve https with'),
  TLS_KEY: optional(anyText('a file'), 'plain http', 'Private key (PEM) of that certificate'),
  ALLOW_HTTP: withDefault(onOff, 'off', 'on to serve plain http to other machines'),
  TRIVET_SECRET: optional(
    longSecret,
    'generated once, kept in TRIVET_DATA',
    'Signs tokens, encrypts secrets at rest',
  ),
  TRIVET_URL: optional(publicAddress, 'that of trivet login', 'For trivet ls, cp …: address of storage'),
  TRIVET_API_KEY: optional(
    secretText('an API key'),
    'that of trivet login',
    'For trivet ls, cp …: an API key of storage',
  ),
  SECURITY_CONTACT: optional(
    contact,
    'no security.txt',
    'Where to report vulnerabilities, for /.well-known/security.txt',
  ),
  INSTANCE_NAME: optional(
    instanceName,
    'Trivet',
    'Name of this installation, in pages, feeds, mails, consoles',
  ),
  INSTANCE_DESCRIPTION: optional(instanceDescription, 'none', 'What it is for, in one or two sentences'),
  INSTANCE_COLOR: optional(
    color,
    'that of the service',
    'Accent of the pages of publishing, such as #0f766e',
  ),
  INSTANCE_LANGUAGE: optional(language, 'en', 'Language of what people write here'),
  INSTANCE_CONTACT: optional(contact, 'none', 'Email address or https address of the operator'),
  INSTANCE_LOGO: optional(anyText('a file'), 'none', 'A picture, scaled to at most 512 by 512'),
  INSTANCE_RULES: optional(anyText('a file'), 'no page', 'Rules for people who write here, in Markdown'),
  INSTANCE_PRIVACY: optional(anyText('a file'), 'no page', 'Privacy policy, in Markdown'),
  INSTANCE_IMPRINT: optional(anyText('a file'), 'no page', 'Who is responsible, in Markdown'),
  LOG_LEVEL: withDefault(oneOf(logLevels), 'info', `Least level to log: ${logLevels.join(', ')}`),
  CORS_ORIGINS: withDefault(origins, '*', 'Origins whose pages may call the JSON APIs'),
}

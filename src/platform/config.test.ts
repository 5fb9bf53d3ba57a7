import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ConfigError, loadConfig, readConfig, variables } from '#platform/config.ts'

const CWD = '/srv/trivet'
const read = (env: Record<string, string | undefined>) => readConfig(env, CWD)

const refused = (env: Record<string, string>, message: string | RegExp) =>
  assert.throws(
    () => read(env),
    (error: Error) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(error.message.includes('\n'), false)
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
      return true
    },
  )

test('an empty environment gives the default configuration', () => {
  assert.deepEqual(read({}), {
    dataDir: '/srv/trivet/data',
    host: '127.0.0.1',
    services: ['storage', 'publishing', 'inventory'],
    workers: 1,
    ports: { storage: 4001, publishing: 4002, inventory: 4003, s3: 4004 },
    urls: {
      storage: 'http://localhost:4001',
      publishing: 'http://localhost:4002',
      inventory: 'http://localhost:4003',
      s3: 'http://localhost:4004',
    },
    websubHub: undefined,
    s3Domain: undefined,
    databaseUrl: undefined,
    pgBin: undefined,
    blobs: { kind: 'file', dir: '/srv/trivet/data/blobs' },
    redisUrl: undefined,
    smtpUrl: undefined,
    stripe: undefined,
    rateLimits: true,
    maxUploadBytes: 1073741824,
    minFreeBytes: undefined,
    retentionDays: 30,
    eventsRetentionDays: 30,
    webhooksAllowPrivate: false,
    accelPrefix: undefined,
    trustProxy: 0,
    drainSeconds: 0,
    tls: undefined,
    allowHttp: false,
    secret: undefined,
    securityContact: undefined,
    instance: { texts: {}, files: {} },
    logLevel: 'info',
    corsOrigins: '*',
    isDevelopment: false,
    client: { url: undefined, apiKey: undefined },
  })
})

test('every configuration value can be set', () => {
  const config = read({
    TRIVET_DATA: '/var/lib/data',
    TRIVET_SERVICES: 'inventory, storage',
    TRIVET_WORKERS: '64',
    HOST: '0.0.0.0',
    STORAGE_PORT: '0',
    INVENTORY_PORT: '65535',
    STORAGE_URL: 'https://objects.example.org/',
    S3_PORT: '9000',
    S3_URL: 'https://s3.example.org',
    S3_DOMAIN: 'S3.example.org',
    PUBLISHING_WEBSUB_HUB: 'https://hub.example.org',
    PG_BIN: '/usr/lib/postgresql/18/bin',
    DATABASE_URL: 'postgres://user:pass@one:5432,two:5433/trivet?sslmode=require',
    REDIS_URL: 'rediss://cache',
    SMTP_URL: 'smtp://user:pass@mail:587',
    STRIPE_SECRET_KEY: 'sk_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    RATE_LIMITS: 'off',
    STORAGE_MAX_UPLOAD_BYTES: '9007199254740991',
    MIN_FREE_BYTES: '0',
    STORAGE_RETENTION_DAYS: '3650',
    EVENTS_RETENTION_DAYS: '1',
    WEBHOOKS_ALLOW_PRIVATE: 'on',
    STORAGE_ACCEL_PREFIX: '/internal/blobs',
    TRUST_PROXY: '2',
    DRAIN_SECONDS: '60',
    TLS_CERT: 'tls/cert.pem',
    TLS_KEY: '/etc/key.pem',
    ALLOW_HTTP: 'on',
    TRIVET_SECRET: '0123456789abcdef',
    SECURITY_CONTACT: 'security@example.org',
    INSTANCE_NAME: 'Harbour Notes',
    INSTANCE_DESCRIPTION: 'Notes from the harbour.',
    INSTANCE_COLOR: '#0F766E',
    INSTANCE_LANGUAGE: 'pt-br',
    INSTANCE_CONTACT: 'hello@example.org',
    INSTANCE_LOGO: 'logo.png',
    INSTANCE_RULES: '/etc/rules.md',
    INSTANCE_PRIVACY: 'privacy.md',
    INSTANCE_IMPRINT: 'imprint.md',
    LOG_LEVEL: 'silent',
    CORS_ORIGINS: 'https://a.example, http://localhost:3000',
    TRIVET_URL: 'https://files.example.org/',
    TRIVET_API_KEY: 'sk_live',
  })
  assert.deepEqual(config, {
    dataDir: '/var/lib/data',
    host: '0.0.0.0',
    services: ['storage', 'inventory'],
    workers: 64,
    ports: { storage: 0, publishing: 4002, inventory: 65535, s3: 9000 },
    urls: {
      storage: 'https://objects.example.org',
      publishing: 'https://localhost:4002',
      inventory: 'https://localhost:65535',
      s3: 'https://s3.example.org',
    },
    websubHub: 'https://hub.example.org/',
    s3Domain: 's3.example.org',
    databaseUrl: 'postgres://user:pass@one:5432,two:5433/trivet?sslmode=require',
    pgBin: '/usr/lib/postgresql/18/bin',
    blobs: { kind: 'file', dir: '/var/lib/data/blobs' },
    redisUrl: 'rediss://cache',
    smtpUrl: 'smtp://user:pass@mail:587',
    stripe: { secretKey: 'sk_1', webhookSecret: 'whsec_1' },
    rateLimits: false,
    maxUploadBytes: 9007199254740991,
    minFreeBytes: 0,
    retentionDays: 3650,
    eventsRetentionDays: 1,
    webhooksAllowPrivate: true,
    accelPrefix: '/internal/blobs',
    trustProxy: 2,
    drainSeconds: 60,
    tls: { certPath: '/srv/trivet/tls/cert.pem', keyPath: '/etc/key.pem' },
    allowHttp: true,
    secret: '0123456789abcdef',
    securityContact: 'mailto:security@example.org',
    instance: {
      texts: {
        name: 'Harbour Notes',
        description: 'Notes from the harbour.',
        color: '#0f766e',
        language: 'pt-BR',
        contact: 'mailto:hello@example.org',
      },
      files: {
        logo: '/srv/trivet/logo.png',
        rules: '/etc/rules.md',
        privacy: '/srv/trivet/privacy.md',
        imprint: '/srv/trivet/imprint.md',
      },
    },
    logLevel: 'silent',
    corsOrigins: ['https://a.example', 'http://localhost:3000'],
    isDevelopment: false,
    client: { url: 'https://files.example.org', apiKey: 'sk_live' },
  })
})

test('BLOBS_URL names a folder or an S3 bucket', () => {
  const blobs = (BLOBS_URL: string, more = {}) => read({ BLOBS_URL, ...more }).blobs
  assert.deepEqual(blobs('file:bytes'), { kind: 'file', dir: '/srv/trivet/bytes' })
  assert.deepEqual(blobs('file:///mnt/big%20disk'), { kind: 'file', dir: '/mnt/big disk' })
  assert.deepEqual(blobs('s3://my-bucket'), {
    kind: 's3',
    bucket: 'my-bucket',
    region: 'us-east-1',
    credentials: undefined,
  })
  assert.deepEqual(
    blobs('s3://b?endpoint=http://127.0.0.1:9000/&region=eu-1', {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_SESSION_TOKEN: 'session',
      AWS_REGION: 'ignored',
    }),
    {
      kind: 's3',
      bucket: 'b',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'session' },
    },
  )
})

test('an invalid variable is refused with a line that names it and what it accepts', () => {
  refused({ STORAGE_PORT: 'abc' }, 'STORAGE_PORT must be a port number from 0 to 65535, not "abc"')
  refused({ RATE_LIMITS: 'no' }, 'RATE_LIMITS must be on or off, not "no"')
  refused(
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
  )
  const invalid = {
    HOST: ['a b', '[::1]', 'http://x', '-a'],
    PUBLISHING_PORT: ['65536', '-1', '1.5', '1e3', '0x10'],
    TRIVET_SERVICES: ['mail', 'storage,storage', 'storage,', ','],
    TRIVET_WORKERS: ['0', '65', '-1', '1.5', 'all', 'AUTO'],
    STORAGE_URL: ['example.org', 'ftp://example.org', 'https://a/?b=1', 'https://a/#b', 'https://me:pw@a'],
    PUBLISHING_WEBSUB_HUB: ['hub.example', 'ftp://hub.example/'],
    DATABASE_URL: [
      'mysql://x',
      'postgres',
      'postgres://h:port/db',
      'postgres://h/db?target_session_attrs=standby',
    ],
    BLOBS_URL: [
      's4://b',
      's3://',
      's3://b?endpoint=nowhere',
      's3://b?regoin=x',
      's3://b/path',
      'file://host/x',
    ],
    REDIS_URL: ['localhost:6379', 'redis://h:abc'],
    SMTP_URL: ['http://mail'],
    STORAGE_RETENTION_DAYS: ['0', '3651', 'x'],
    EVENTS_RETENTION_DAYS: ['0', '3651', 'x'],
    WEBHOOKS_ALLOW_PRIVATE: ['yes'],
    STORAGE_ACCEL_PREFIX: ['blobs', '/', '/a b', '/a/'],
    MIN_FREE_BYTES: ['-1', '1GB', '1.5', '9007199254740992'],
    STORAGE_MAX_UPLOAD_BYTES: ['0', '1GB', '99999999999999999999', '9007199254740992'],
    TRUST_PROXY: ['on', '0', '-1', '11'],
    DRAIN_SECONDS: ['-1', '301', 'off'],
    ALLOW_HTTP: ['true'],
    TRIVET_SECRET: ['fifteen letters'],
    INSTANCE_NAME: ['x'.repeat(61), 'a\nb'],
    INSTANCE_COLOR: ['teal', '#fff'],
    INSTANCE_LANGUAGE: ['no language', '1'],
    INSTANCE_CONTACT: ['nobody'],
    SECURITY_CONTACT: ['nobody', 'http://example.org/report', 'two words@example.org'],
    CORS_ORIGINS: ['example.org', 'https://a.example/', 'https://a,*', '*,https://a', 'https://a,'],
  }
  for (const [name, values] of Object.entries(invalid)) {
    for (const value of values) refused({ [name]: value }, new RegExp(`^${name} must be .`))
  }
})

test('TRIVET_WORKERS=auto is one worker for each core', () => {
  assert.equal(read({ TRIVET_WORKERS: 'auto' }).workers, Math.min(availableParallelism(), 64))
  refused(
    { TRIVET_WORKERS: 'many' },
    'TRIVET_WORKERS must be auto or a whole number from 1 to 64, not "many"',
  )
})

test('the error for a variable that may contain a secret does not quote it', () => {
  const names = ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'BLOBS_URL', 'TRIVET_SECRET']
  for (const name of names) refused({ [name]: 'hunter2' }, /^(?!.*hunter2)/)
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
    refused({ [name]: 'hunter2' }, /^(?!.*hunter2)/)
})

test('variables that belong together are refused if only one is set', () => {
  refused({ TLS_CERT: 'c' }, 'TLS_CERT is set without TLS_KEY: set both or neither')
  refused({ TLS_KEY: 'k' }, 'TLS_KEY is set without TLS_CERT: set both or neither')
  refused(
    { STRIPE_SECRET_KEY: 'x' },
    'STRIPE_SECRET_KEY is set without STRIPE_WEBHOOK_SECRET: set both or neither',
  )
  refused(
    { BLOBS_URL: 's3://b', AWS_ACCESS_KEY_ID: 'x' },
    /^AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY/,
  )
})

test('two services cannot have the same port, unless it is 0 or only one of them is served', () => {
  refused({ INVENTORY_PORT: '4001' }, 'STORAGE_PORT and INVENTORY_PORT are both 4001: give each its own port')
  assert.equal(read({ STORAGE_PORT: '0', PUBLISHING_PORT: '0', INVENTORY_PORT: '0' }).ports.inventory, 0)
  assert.equal(read({ INVENTORY_PORT: '4001', TRIVET_SERVICES: 'inventory' }).ports.inventory, 4001)
})

test('plain http to other machines must be enabled explicitly', () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'example.org', '127.example.org']) {
    refused({ HOST }, new RegExp(`^HOST ${HOST} .*TLS_CERT and TLS_KEY.*TRUST_PROXY.*ALLOW_HTTP=on$`))
    assert.equal(read({ HOST, ALLOW_HTTP: 'on' }).host, HOST)
    assert.equal(read({ HOST, TRUST_PROXY: '1' }).host, HOST)
    assert.equal(read({ HOST, TLS_CERT: 'c', TLS_KEY: 'k' }).host, HOST)
  }
  for (const HOST of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) assert.equal(read({ HOST }).host, HOST)
})

test('an empty variable counts as not set', () => {
  const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, '']))
  assert.deepEqual(read(empty), read({}))
})

test('the configuration is deeply frozen', () => {
  const config = read({ TLS_CERT: 'c', TLS_KEY: 'k' })
  for (const part of [config, config.ports, config.urls, config.services, config.blobs, config.tls]) {
    assert.ok(Object.isFrozen(part))
  }
})

test('every variable has a description of one line', () => {
  for (const [name, { about, without }] of Object.entries(variables)) {
    assert.match(about, /^\S.{3,80}$/, name)
    assert.match(without, /^\S.*$/, name)
  }
})

const temporaryFolder = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'trivet-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('.env in the current folder is read, and the environment takes precedence', (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(
    join(folder, '.env'),
    '# ours\nSTORAGE_PORT=5001\nINVENTORY_PORT=5003\nREDIS_URL="redis://cache"\n',
  )
  const config = loadConfig({ STORAGE_PORT: '6001', REDIS_URL: '' }, folder)
  assert.deepEqual(config.ports, { storage: 6001, publishing: 4002, inventory: 5003, s3: 4004 })
  assert.equal(config.redisUrl, undefined)
  assert.equal(config.dataDir, join(folder, 'data'))
})

test('a missing .env is ignored, and one that cannot be read is an error', (t) => {
  const folder = temporaryFolder(t)
  assert.equal(loadConfig({}, folder).ports.storage, 4001)
  mkdirSync(join(folder, '.env'))
  assert.throws(() => loadConfig({}, folder), {
    name: 'ConfigError',
    message: /\.env cannot be read \(EISDIR\)/,
  })
})

test('DRAIN_SECONDS defaults to 5, or to 0 if only this machine can connect', () => {
  assert.equal(read({}).drainSeconds, 0)
  assert.equal(read({ HOST: '::1' }).drainSeconds, 0)
  assert.equal(read({ TRUST_PROXY: '1' }).drainSeconds, 5)
  assert.equal(read({ HOST: '0.0.0.0', ALLOW_HTTP: 'on' }).drainSeconds, 5)
  assert.equal(read({ DRAIN_SECONDS: '300' }).drainSeconds, 300)
  assert.equal(read({ TRUST_PROXY: '1', DRAIN_SECONDS: '0' }).drainSeconds, 0)
})

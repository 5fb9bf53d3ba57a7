import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Logger } from 'pino'
import { movableClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import type { HttpLimits } from '#platform/http/server/http-limits.ts'
import { createLogger } from '#platform/log.ts'
import { startSystem } from '#src/system.ts'
import { startWorkers } from './boot-workers.ts'
import { cleanUp } from './cleanup.ts'
import { client } from './client.ts'
import { freshDatabase } from './cluster.ts'
import { isService } from './conformance.ts'
import { startRedis } from './redis.ts'
import { runningFile } from './running.ts'

export type BootOptions = {
  env?: Record<string, string>
  /** For another node on the same database, which shares the blobs with `BLOBS_URL: first.blobsUrl`. */
  database?: { url: string }
  /** Smaller limits than the real ones, for tests that reach them. */
  http?: Partial<HttpLimits>
  /** For tests that read the log. */
  log?: Logger
  /** Closes the system at the end of this test, not of the file. */
  t?: TestContext
}

const quietLog = createLogger({ level: (process.env.TEST_LOG ?? 'fatal') as 'fatal', pretty: true })

/** The tests of one service start only that one, which takes half of the time. */
const onlyService = () =>
  /(?:acceptance\/|long\/|workers-)(storage|publishing|inventory)\b/.exec(runningFile())?.[1]

/** Set by files that run acceptance tests again through several workers. Neither clock nor platform can be used then. */
const workers = process.env.TRIVET_TEST_WORKERS

const passwordCost = { memory: 256, passes: 1, parallelism: 1 }

/** With an S3-compatible server, each database has a bucket of its own. */
const blobsFor = async (databaseUrl = '') => {
  const endpoint = process.env.TRIVET_TEST_BLOBS
  if (!endpoint) return {}
  // Imported here, because the server and the SDK are a third of the modules that a test file would load.
  const { s3Environment } = await import('./s3.ts')
  return s3Environment(endpoint, new URL(databaseUrl).pathname.slice(1).replaceAll('_', '-'))
}

/**
 * Starts the whole system on a fresh database and free ports, with a clock that can be moved. Usually once per file:
 * `const system = await boot()` at its top.
 */
export const boot = (options: BootOptions = {}): Promise<Booted> => {
  if (!workers || Object.keys(options).length > 0) return bootAnew(options)
  // Several files run in one process then, and one system is enough for all.
  shared ??= bootAnew(options)
  return shared
}
let shared: Promise<Booted> | undefined

const bootAnew = async ({ env = {}, database, http = {}, log = quietLog, t }: BootOptions) => {
  const undo: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const step of undo.reverse()) await step()
  }
  if (t) t.after(end, { timeout: 60_000 })
  else cleanUp(end)

  const dataDir = await mkdtemp(join(tmpdir(), 'trivet-data-'))
  undo.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const fresh = database ? null : await freshDatabase()
  if (fresh) undo.push(fresh.drop)
  const databaseUrl = database?.url ?? fresh?.url
  const blobs: { BLOBS_URL?: string } = await blobsFor(databaseUrl)
  // Each system has its own Redis: all tests have the same client address and must not use up each other's limits.
  const redis =
    process.env.TRIVET_TEST_VARIANT === 'server' && env.RATE_LIMITS === 'on' ? await startRedis() : null
  if (redis) undo.push(redis.stop)
  const service = onlyService()
  const settings = {
    TRIVET_DATA: dataDir,
    TRIVET_SECRET: 'a secret for tests only',
    STORAGE_PORT: '0',
    S3_PORT: '0',
    PUBLISHING_PORT: '0',
    INVENTORY_PORT: '0',
    RATE_LIMITS: 'off',
    DATABASE_URL: databaseUrl,
    ...(service ? { TRIVET_SERVICES: service } : {}),
    ...blobs,
    ...(redis ? { REDIS_URL: redis.url } : {}),
    ...env,
  }
  const system = workers ? await startWorkers(settings, workers) : await startHere(settings, { log, http })
  undo.push(system.close)
  const { storage, publishing, inventory } = system.urls
  for (const [name, url] of Object.entries({ storage, publishing, inventory })) if (url) isService(name, url)
  return Object.assign(system, {
    storage: client(storage),
    publishing: client(publishing),
    inventory: client(inventory),
    dataDir,
    blobsUrl: env.BLOBS_URL ?? blobs.BLOBS_URL ?? `file:${join(dataDir, 'blobs')}`,
    databaseUrl: databaseUrl as string,
  })
}

/** In this process, with a clock that can be moved. */
const startHere = async (
  settings: Record<string, string | undefined>,
  { log, http }: { log: Logger; http: Partial<HttpLimits> },
) => {
  const config = readConfig(settings, settings.TRIVET_DATA as string)
  const clock = movableClock()
  const { platform, urls, close } = await startSystem({
    config,
    clock,
    log,
    passwordCost,
    http,
    schedules: false,
  })
  return { platform, urls, close, clock, sql: platform.db.sql }
}
export type Booted = Awaited<ReturnType<typeof bootAnew>>

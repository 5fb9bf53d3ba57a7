import type { AddressInfo } from 'node:net'
import { deleteOldBatches } from '#platform/backlog.ts'
import type { Config } from '#platform/config.ts'
import { deleteOldSignals } from '#platform/db/signal-feeds.ts'
import { drain } from '#platform/http/drain.ts'
import { type HttpLimits, httpLimits } from '#platform/http/http-limits.ts'
import { deleteExpiredAnswers } from '#platform/http/idempotency.ts'
import { buildServer } from '#platform/http/server.ts'
import type { App, Lifecycle, Service, ServiceName } from '#platform/http/service.ts'
import type { Job } from '#platform/jobs.ts'
import { type OpenPlatform, openPlatform, type PlatformOptions } from '#platform/platform.ts'

/** Services are loaded when they are served: whoever serves one need not load the others. */
const load = {
  storage: async () => (await import('#storage/app.ts')).storage,
  publishing: async () => (await import('#publishing/app.ts')).publishing,
  inventory: async () => (await import('#inventory/app.ts')).inventory,
} as unknown as Record<ServiceName, () => Promise<Service>>

/** Loads the code of services before they are served. */
export const loadServices = (names: readonly ServiceName[]) => Promise.all(names.map((name) => load[name]()))

/** Every schema is kept up to date, whichever services a process serves. */
export const migrations = Object.keys(load).map((name) => ({
  schema: name,
  folder: new URL(`./${name}/`, import.meta.url),
}))

const platformJobs = ({ db, clock }: OpenPlatform): Job[] => [
  {
    name: 'platform.delete-expired-rows',
    cron: '17 * * * *',
    run: async () => {
      await deleteExpiredAnswers(db.sql, clock.now())
      await deleteOldSignals(db)
      await deleteOldBatches(db.sql)
    },
  },
]

export type System = {
  platform: OpenPlatform
  urls: Record<ServiceName, string>
  /** Finishes what was begun, then closes everything. `noticeMs`: how long before that it says it is leaving. */
  close(options?: { noticeMs?: number }): Promise<void>
}

export type SystemOptions = Omit<PlatformOptions, 'purpose' | 'migrations'> & { http?: Partial<HttpLimits> }

/** Opens the platform and serves the configured services until `close`. */
export const startSystem = async ({ http, ...options }: SystemOptions): Promise<System> => {
  // A port of 0 is known only once it listens; the public address then follows it.
  const config = { ...options.config, urls: { ...options.config.urls } }
  const platform = await openPlatform({ ...options, config, purpose: 'serve', migrations })
  const servers: App[] = []
  const lifecycle: Lifecycle = { leaving: false, closing: false }
  const close: System['close'] = async ({ noticeMs = 0 } = {}) => {
    await drain(servers, lifecycle, noticeMs)
    await platform.close()
  }
  try {
    const urls = {} as Record<ServiceName, string>
    const jobs = platformJobs(platform)
    options.report?.('starting the services')
    for (const name of config.services) {
      const service = await load[name]()
      const ctx = service.context({ ...platform, log: platform.log.child({ service: name }) })
      const server = await buildServer(service, ctx, { limits: { ...httpLimits, ...http }, lifecycle })
      servers.push(server)
      jobs.push(...service.jobs(ctx))
    }
    await platform.jobs.start(jobs)
    for (const [index, name] of config.services.entries()) {
      const server = servers[index] as App
      await server.listen({ host: config.host, port: config.ports[name] })
      urls[name] = addressOf(server, config)
      if (config.ports[name] === 0) config.urls[name] = urls[name]
    }
    return { platform, urls, close }
  } catch (error) {
    await close()
    throw error
  }
}

const addressOf = (server: App, { tls, host }: Config) => {
  const { port } = server.server.address() as AddressInfo
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

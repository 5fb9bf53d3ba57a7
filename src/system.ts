import type { AddressInfo } from 'node:net'
import { inventory } from '#inventory/app.ts'
import type { Config } from '#platform/config.ts'
import { forgetOldSignals } from '#platform/db/signal-feeds.ts'
import { forgetOldAnswers } from '#platform/http/idempotency.ts'
import { buildServer } from '#platform/http/server.ts'
import type { App, Service, ServiceName } from '#platform/http/service.ts'
import type { Job } from '#platform/jobs.ts'
import { type OpenPlatform, openPlatform, type PlatformOptions } from '#platform/platform.ts'
import { publishing } from '#publishing/app.ts'
import { storage } from '#storage/app.ts'

const all = { storage, publishing, inventory } as unknown as Record<ServiceName, Service>
export const services = Object.values(all)

/** Every schema is kept up to date, whichever services a process serves. */
export const migrations = services.map((service) => service.migrations)

const platformJobs = ({ db, clock }: OpenPlatform): Job[] => [
  {
    name: 'platform.forget-old-answers',
    cron: '17 * * * *',
    run: async () => {
      await forgetOldAnswers(db.sql, clock.now())
      await forgetOldSignals(db)
    },
  },
]

export type System = { platform: OpenPlatform; urls: Record<ServiceName, string>; close(): Promise<void> }

const drainMs = 20_000

/** Opens the platform and serves the configured services until `close`. */
export const startSystem = async (
  options: Omit<PlatformOptions, 'purpose' | 'migrations'>,
): Promise<System> => {
  // A port of 0 is known only once it listens; the public address then follows it.
  const config = { ...options.config, urls: { ...options.config.urls } }
  const platform = await openPlatform({ ...options, config, purpose: 'serve', migrations })
  const servers: App[] = []
  const close = async () => {
    await Promise.all(servers.map(drain))
    await platform.close()
  }
  try {
    const urls = {} as Record<ServiceName, string>
    const jobs = platformJobs(platform)
    for (const name of config.services) {
      const service = all[name]
      const ctx = service.context(platform)
      const server = await buildServer(service, ctx)
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

/** Lets requests in flight finish, within reason; a kept-alive connection is closed as soon as it is idle. */
const drain = async (server: App) => {
  const sweep = setInterval(() => server.server.closeIdleConnections(), 20)
  const impatience = setTimeout(() => server.server.closeAllConnections(), drainMs)
  await server.close()
  clearInterval(sweep)
  clearTimeout(impatience)
}

import type { AddressInfo } from 'node:net'
import { deleteExpiredSessions } from '#platform/auth/console-sessions.ts'
import { deleteOldBatches } from '#platform/backlog.ts'
import type { Config, ListenerName } from '#platform/config.ts'
import { deleteOldSignals } from '#platform/db/signal-feeds.ts'
import type { App } from '#platform/http/app.ts'
import { deleteExpiredAnswers } from '#platform/http/contract/idempotency.ts'
import { createMetrics } from '#platform/http/metrics.ts'
import type { Shutdown } from '#platform/http/server/drain.ts'
import { drain } from '#platform/http/server/drain.ts'
import { type HttpLimits, httpLimits } from '#platform/http/server/http-limits.ts'
import { listen } from '#platform/http/server/ports.ts'
import { buildEndpoint, buildServer } from '#platform/http/server.ts'
import type { Job } from '#platform/jobs.ts'
import { type OpenPlatform, openPlatform, type PlatformOptions } from '#platform/platform.ts'
import { isFirst } from '#platform/seat.ts'
import { shareSockets } from '#platform/workers/shared-sockets.ts'
import { loadServices, migrations } from './services.ts'

const platformJobs = ({ db, clock }: OpenPlatform): Job[] => [
  {
    name: 'platform.delete-expired-rows',
    cron: '17 * * * *',
    run: async () => {
      await deleteExpiredAnswers(db.sql, clock.now())
      await deleteExpiredSessions(db.sql, clock.now())
      await deleteOldSignals(db)
      await deleteOldBatches(db.sql)
    },
  },
]

export type System = {
  platform: OpenPlatform
  urls: Record<ListenerName, string>
  /** Finishes what was begun, then closes everything. `noticeMs`: how long before that it says it is leaving. */
  close(options?: { noticeMs?: number }): Promise<void>
}

export type SystemOptions = Omit<PlatformOptions, 'purpose' | 'migrations'> & {
  http?: Partial<HttpLimits>
  /** False where the clock is moved: what is due by that clock must not be removed because of what the time really is. */
  schedules?: boolean
}

/** Opens the platform and serves the configured services until `close`. */
export const startSystem = async ({ http, schedules = true, ...options }: SystemOptions): Promise<System> => {
  // A port of 0 is known only once it listens; the public address then follows it.
  const config = { ...options.config, urls: { ...options.config.urls } }
  const { seat } = options
  const platform = await openPlatform({ ...options, config, purpose: 'serve', migrations })
  const servers = new Map<ListenerName, App>()
  const shutdown: Shutdown = { leaving: false, closing: false }
  const close: System['close'] = async ({ noticeMs = 0 } = {}) => {
    const shared = seat && shareSockets(seat.primary, { isFirst: isFirst(seat) })
    await drain([...servers.values()], shutdown, { noticeMs, shared })
    await platform.close()
  }
  try {
    const urls = {} as Record<ListenerName, string>
    const jobs = platformJobs(platform)
    options.report?.('starting the services')
    for (const service of await loadServices(config.services)) {
      const ctx = service.context({ ...platform, log: platform.log.child({ service: service.name }) })
      const metrics = createMetrics(service.name, ctx, service.measured?.(ctx))
      const around = { limits: { ...httpLimits, ...http }, shutdown, metrics }
      servers.set(service.name, await buildServer(service, ctx, around))
      for (const endpoint of service.endpoints ?? [])
        servers.set(endpoint.name, await buildEndpoint(endpoint, ctx, around))
      jobs.push(...service.jobs(ctx))
    }
    await platform.jobs.start(schedules ? jobs : jobs.map(({ cron: _, ...job }) => job))
    for (const [name, server] of servers) {
      await listen(server, name, config)
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

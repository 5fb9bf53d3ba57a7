import { createBacklog } from '#platform/backlog.ts'
import { forbidden } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { type Download, recordDownloads } from '../audit/downloads.ts'
import * as store from './store.ts'

/** Meters and records downloads after they were sent, many at a time, so that no download waits for it. */
type Traffic = {
  /** Throws 403 when the organization has used up its bandwidth of this month. */
  admit(orgId: string): Promise<void>
  sent(download: Download): void
  flush(): Promise<void>
}

const freshMs = 5_000

const createTraffic = (platform: Platform): Traffic => {
  const { db, clock } = platform
  const known = new Map<string, store.Bandwidth & { at: number }>()

  const learn = (orgId: string, bandwidth: store.Bandwidth | undefined) => {
    if (known.size > 10_000) known.clear()
    if (bandwidth) known.set(orgId, { ...bandwidth, at: clock.now().getTime() })
  }

  const { add, flush } = createBacklog<Download>(platform, {
    name: 'downloads',
    maxBatch: 10_000,
    async write(tx, downloads) {
      const now = clock.now()
      const bytes = new Map<string, number>()
      for (const d of downloads) bytes.set(d.orgId, (bytes.get(d.orgId) ?? 0) + d.bytes)
      await recordDownloads(tx, downloads)
      for (const [orgId, sum] of [...bytes].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const bandwidth = await store.addBandwidth(tx, orgId, sum, now)
        tx.afterCommit(() => learn(orgId, bandwidth))
      }
    },
  })

  /** What is known of an organization, unless it is too old. */
  const recent = (orgId: string, now: Date) => {
    const bandwidth = known.get(orgId)
    return bandwidth && now.getTime() - bandwidth.at < freshMs ? bandwidth : undefined
  }
  const look = async (orgId: string, now: Date) => {
    await flush()
    const bandwidth = await store.findBandwidth(db.sql, orgId, now)
    learn(orgId, bandwidth)
    return bandwidth
  }

  return {
    async admit(orgId) {
      const now = clock.now()
      const bandwidth = recent(orgId, now) ?? (await look(orgId, now))
      if (bandwidth && bandwidth.used >= bandwidth.quota)
        forbidden('The bandwidth quota of this month is used up')
    },
    sent(download) {
      const bandwidth = known.get(download.orgId)
      if (bandwidth) bandwidth.used += download.bytes
      add(download)
    },
    flush,
  }
}

export const traffic = moduleState(createTraffic)

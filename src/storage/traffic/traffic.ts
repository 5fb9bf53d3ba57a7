import { forbidden } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { type Download, recordDownloads } from '../audit/downloads.ts'
import * as store from './store.ts'

/** Meters and records downloads after the fact, many at a time, so that none of them waits for it. */
export type Traffic = {
  /** Throws 403 when the organization has used up its bandwidth of this month. */
  admit(orgId: string): void | Promise<void>
  /** Whether it is known, without asking, to have some left. */
  isWithin(orgId: string): boolean
  sent(download: Download): void
  flush(): Promise<void>
}

const flushMs = 500
const freshMs = 5_000
const maxWaiting = 10_000

export const createTraffic = ({ db, clock, log }: Platform): Traffic => {
  const known = new Map<string, store.Bandwidth & { at: number }>()
  let waiting: Download[] = []
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> = Promise.resolve()

  const learn = (orgId: string, bandwidth: store.Bandwidth | undefined) => {
    if (known.size > 10_000) known.clear()
    if (bandwidth) known.set(orgId, { ...bandwidth, at: clock.now().getTime() })
  }

  const write = async (downloads: Download[]) => {
    const now = clock.now()
    const bytes = new Map<string, number>()
    for (const d of downloads) bytes.set(d.orgId, (bytes.get(d.orgId) ?? 0) + d.bytes)
    try {
      await db.transaction(async (tx) => {
        await recordDownloads(tx, downloads)
        for (const [orgId, sum] of [...bytes].sort(([a], [b]) => (a < b ? -1 : 1)))
          learn(orgId, await store.addBandwidth(tx, orgId, sum, now))
      })
    } catch (err) {
      log.error({ err, downloads: downloads.length }, 'downloads could not be recorded yet')
      if (waiting.length < 2 * maxWaiting) waiting = [...downloads, ...waiting]
    }
  }

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    flushing = flushing.then(async () => {
      const batch = waiting
      waiting = []
      if (batch.length > 0) await write(batch)
    })
    return flushing
  }

  /** What is known of an organization, unless that is too old. */
  const recent = (orgId: string, now: Date) => {
    const bandwidth = known.get(orgId)
    return bandwidth && now.getTime() - bandwidth.at < freshMs ? bandwidth : undefined
  }
  const check = ({ used, quota }: store.Bandwidth) => {
    if (used >= quota) forbidden('The bandwidth quota of this month is used up')
  }

  return {
    admit(orgId) {
      const now = clock.now()
      const bandwidth = recent(orgId, now)
      if (bandwidth) return check(bandwidth)
      return flush()
        .then(() => store.findBandwidth(db.sql, orgId, now))
        .then((found) => {
          learn(orgId, found)
          if (found) check(found)
        })
    },
    isWithin(orgId) {
      const bandwidth = recent(orgId, clock.now())
      return bandwidth !== undefined && bandwidth.used < bandwidth.quota
    },
    sent(download) {
      waiting.push(download)
      const bandwidth = known.get(download.orgId)
      if (bandwidth) bandwidth.used += download.bytes
      if (waiting.length >= maxWaiting) void flush()
      else timer ??= setTimeout(() => void flush(), flushMs).unref()
    },
    flush,
  }
}

import type { Fragment, Sql } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'
import * as deliveries from './webhooks/deliveries-store.ts'

const dayMs = 86_400_000
const removedAtOnce = 1_000

const undivided = (q: Sql) => q`''`

/**
 * Removes what is older than events are kept, in small steps, so that nobody who reads events waits long. `partOf` is what
 * divides those of an owner, see `Events.parts`.
 */
export const removeOldEvents = async (
  { db, clock, config }: Platform,
  service: string,
  partOf: (q: Sql) => Fragment = undivided,
) => {
  const before = new Date(clock.now().getTime() - config.eventsRetentionDays * dayMs)
  const repeat = async (remove: () => Promise<number>) => {
    while ((await remove()) >= removedAtOnce);
  }
  const removeEvents = async () => {
    if (!(await store.hasOld(db.sql, service, before))) return 0
    return db.transaction(async (tx) => {
      const tick = await store.nextTick(tx, service)
      return store.removeOld(tx, service, { before, tick, limit: removedAtOnce, part: partOf(tx) })
    })
  }
  await repeat(() => db.write((q) => deliveries.removeOld(q, service, before, removedAtOnce)))
  await repeat(() => db.write((q) => deliveries.removeDeleted(q, service, removedAtOnce)))
  await repeat(removeEvents)
}

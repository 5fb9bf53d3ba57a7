import type { Sql } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'
import * as deliveries from './webhooks/deliveries-store.ts'

const dayMs = 86_400_000
const removedAtOnce = 1_000

/** In small steps, so that nobody who reads events waits long. */
export const removeOldEvents = async ({ db, clock, config }: Platform, service: string) => {
  const before = new Date(clock.now().getTime() - config.eventsRetentionDays * dayMs)
  const repeat = async (remove: (q: Sql) => Promise<number>) => {
    while ((await db.write(remove)) >= removedAtOnce);
  }
  await repeat((q) => deliveries.removeOld(q, service, before, removedAtOnce))
  await repeat((q) => deliveries.removeDeleted(q, service, removedAtOnce))
  await repeat((q) => store.removeOld(q, service, before, removedAtOnce))
}

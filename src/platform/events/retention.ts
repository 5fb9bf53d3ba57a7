import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'

const dayMs = 86_400_000
const removedAtOnce = 1_000

/** In small steps, so that nobody who reads events waits long. */
export const removeOldEvents = async ({ db, clock, config }: Platform, service: string) => {
  const before = new Date(clock.now().getTime() - config.eventsRetentionDays * dayMs)
  while ((await db.write((q) => store.removeOld(q, service, before, removedAtOnce))) >= removedAtOnce);
}

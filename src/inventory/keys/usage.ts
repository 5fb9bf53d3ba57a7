import { createBacklog } from '#platform/backlog.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'

/** The log of requests made with API keys. It is written later and in batches: requests do not wait for their entry. */
export const usageLog = moduleState((platform: Platform) => {
  const backlog = createBacklog<store.Use>(platform, {
    name: 'API usage log',
    write: async (tx, uses) => void (await store.insertUses(tx, uses)),
  })
  const lookups = new Set<Promise<void>>()
  return {
    /** Adds an entry as soon as its key has been looked up, and none if there is no such key. */
    add(use: Promise<store.Use | undefined>) {
      const lookup = use
        .then((entry) => entry && backlog.add(entry))
        .finally(() => void lookups.delete(lookup))
      lookups.add(lookup)
    },
    async flush() {
      await Promise.all(lookups)
      await backlog.flush()
    },
  }
})

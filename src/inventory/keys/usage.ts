import { createBacklog } from '#platform/backlog.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'

/** The log of requests made with API keys. It is written later and in batches: requests do not wait for their entry. */
export const usageLog = moduleState((platform: Platform) =>
  createBacklog<store.Use>(platform, {
    name: 'API usage log',
    write: async (tx, uses) => void (await store.insertUses(tx, uses)),
  }),
)

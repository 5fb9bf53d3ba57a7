import { createBacklog } from '#platform/backlog.ts'
import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'

export type UsageLog = {
  record(use: store.Use): void
  /** Writes what has not been written yet. */
  flush(): Promise<void>
}

/** Requests are not kept waiting for their log entry. */
export const createUsageLog = (platform: Pick<Platform, 'db' | 'log'>): UsageLog => {
  const { add, flush } = createBacklog<store.Use>(platform, {
    name: 'API usage log',
    write: async (tx, uses) => void (await store.insertUses(tx, uses)),
  })
  return { record: add, flush }
}

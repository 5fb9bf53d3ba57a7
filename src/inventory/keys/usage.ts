import type { Platform } from '#platform/platform.ts'
import * as store from './store.ts'

export type UsageLog = {
  record(use: store.Use): void
  /** Writes what has not been written yet. */
  flush(): Promise<void>
}

const flushAfterMs = 500
const largestBatch = 5_000
const mostWaiting = 100_000

/** Requests are not kept waiting for their log entry: entries are collected and written together. */
export const createUsageLog = ({ db, log }: Pick<Platform, 'db' | 'log'>): UsageLog => {
  let waiting: store.Use[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, largestBatch)
      try {
        await db.write((q) => store.insertUses(q, batch))
      } catch (err) {
        log.warn({ err, entries: batch.length }, 'usage log could not be written')
        waiting = [...batch, ...waiting].slice(-mostWaiting)
        return
      }
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }
  return {
    record(use) {
      waiting.push(use)
      timer ??= setTimeout(flush, flushAfterMs).unref()
    },
    flush,
  }
}

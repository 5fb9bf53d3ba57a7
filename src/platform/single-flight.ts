import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Coalesces concurrent calls: at most one run at a time, and everybody who calls during a run shares the next one, which
 * starts after they called. A run belongs to none of its callers, nor to a unit of work of theirs.
 */
export const singleFlight = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  const outside = AsyncLocalStorage.snapshot()
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<T> | null = null
  return () => {
    waiting ??= running
      // Pause after a failure, so that callers who retry at once do not spin.
      .catch(() => sleep(1))
      .then(() => {
        waiting = null
        const started = outside(run)
        running = started
        return started
      })
    return waiting
  }
}

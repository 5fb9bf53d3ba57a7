import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Lets callers share what one of them would otherwise do: one run at a time, and those who come meanwhile share the
 * next one, which begins after they came. It belongs to none of them, nor to a unit of work of theirs.
 */
export const sharedRuns = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  const outside = AsyncLocalStorage.snapshot()
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<T> | null = null
  return () => {
    waiting ??= running
      // Whatever made it fail is cleared away a moment later.
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

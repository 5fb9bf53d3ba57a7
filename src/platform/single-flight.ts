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

/**
 * Shares work in progress: whoever asks for a key while the work for it runs receives its result. Unlike above, that
 * work began before they asked. Where this is too old, `forget` makes the next caller start anew; those who wait already
 * still receive what they wait for.
 */
export const singleFlightByKey = <T>() => {
  const running = new Map<string, Promise<T>>()
  return {
    running: (key: string) => running.get(key),
    /** After its first wait, the work can ask whether it has been forgotten meanwhile. */
    run(key: string, work: (isForgotten: () => boolean) => Promise<T>): Promise<T> {
      const found = running.get(key)
      if (found !== undefined) return found
      const isForgotten = () => running.get(key) !== started
      const started = work(isForgotten)
      running.set(key, started)
      const end = () => {
        if (!isForgotten()) running.delete(key)
      }
      started.then(end, end)
      return started
    },
    forget: (key: string) => void running.delete(key),
    forgetAll: () => running.clear(),
  }
}

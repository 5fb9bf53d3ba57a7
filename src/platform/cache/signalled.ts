import { singleFlightByKey } from '#platform/single-flight.ts'
import type { Signals } from '../db/signals.ts'
import { lru } from './lru.ts'

export type Cache<V> = {
  get(key: string): V | Promise<V>
  /** The cached value, without loading it. */
  peek(key: string): V | undefined
}

/**
 * Caches what `load` returns until a signal on `topic` says that it has changed. If a signal arrives while a value is
 * being loaded, the value is returned but not cached, so the cache never holds anything older than the last signal.
 * `undefined` (no such thing) is not cached either. Use `maxAgeMs` where changes are announced without a transaction: such
 * an announcement is lost if its node crashes.
 */
export const signalledCache = <V>(
  signals: Signals,
  options: {
    topic: string
    max: number
    /** About how many bytes a value takes, if clients choose. */
    bytesOf?: (value: NonNullable<V>) => number
    maxAgeMs?: number
    load: (key: string) => Promise<V>
  },
): Cache<V> => {
  const { bytesOf = () => 0, maxAgeMs = Number.POSITIVE_INFINITY } = options
  const kept = lru<{ value: NonNullable<V>; until: number }>(options.max, ({ value }) => bytesOf(value))
  const loading = singleFlightByKey<V>()

  signals.on(options.topic, (key) => {
    kept.delete(key)
    loading.forget(key)
  })
  signals.onGap(() => {
    kept.clear()
    loading.forgetAll()
  })

  const load = (key: string) =>
    loading.run(key, async (isForgotten) => {
      const wasReliable = signals.reliable
      const value = await options.load(key)
      if (wasReliable && signals.reliable && !isForgotten() && value !== undefined && value !== null)
        kept.set(key, { value, until: Date.now() + maxAgeMs })
      return value
    })

  const peek = (key: string) => {
    const found = signals.reliable ? kept.get(key) : undefined
    return found && found.until > Date.now() ? found.value : undefined
  }
  return { peek, get: (key) => peek(key) ?? load(key) }
}

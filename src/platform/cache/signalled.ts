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
  options: { topic: string; max: number; maxAgeMs?: number; load: (key: string) => Promise<V> },
): Cache<V> => {
  const kept = lru<{ value: V; until: number }>(options.max)
  const { maxAgeMs = Number.POSITIVE_INFINITY } = options
  const loading = new Map<string, { value: Promise<V>; stale: boolean }>()

  const forget = (key: string) => {
    kept.delete(key)
    const started = loading.get(key)
    if (started) {
      started.stale = true
      loading.delete(key)
    }
  }
  signals.on(options.topic, forget)
  signals.onGap(() => {
    kept.clear()
    for (const key of [...loading.keys()]) forget(key)
  })

  const load = (key: string): Promise<V> => {
    const running = loading.get(key)
    if (running) return running.value
    const started = { value: options.load(key), stale: !signals.reliable }
    loading.set(key, started)
    started.value.then(
      (value) => {
        if (loading.get(key) === started) loading.delete(key)
        if (started.stale || !signals.reliable || value === undefined) return
        kept.set(key, { value, until: Date.now() + maxAgeMs })
      },
      () => {
        if (loading.get(key) === started) loading.delete(key)
      },
    )
    return started.value
  }

  const peek = (key: string) => {
    const found = signals.reliable ? kept.get(key) : undefined
    return found && found.until > Date.now() ? found.value : undefined
  }
  return { peek, get: (key) => peek(key) ?? load(key) }
}

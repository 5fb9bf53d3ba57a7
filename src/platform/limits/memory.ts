import { type Lru, lru } from '#platform/cache/lru.ts'
import { clockToleranceMs, type Hit, type Limit, type Usage } from './limit.ts'

/** The times of the hits against one key, ascending. Those before `first` have expired. */
type Log = { hits: number[]; first: number; windowMs: number }

const maxKeys = 50_000
const sweepEveryMs = 60_000

/**
 * Counts hits in memory with an exact log per key. Each limit has its own map, so that a flood of keys against one limit
 * does not evict keys of another; beyond `maxKeys`, the least recently used keys of a limit are evicted.
 */
export const memoryCounter = () => {
  const limits = new Map<string, Lru<Log>>()
  let nextSweep = 0

  const logsOf = ({ name }: Limit) => {
    const known = limits.get(name)
    if (known) return known
    const logs = lru<Log>(maxKeys)
    limits.set(name, logs)
    return logs
  }
  const sweep = (now: number) => {
    nextSweep = now + sweepEveryMs
    for (const logs of limits.values())
      for (const [key, log] of logs.entries()) if (log.hits.at(-1)! <= now - log.windowMs) logs.delete(key)
  }

  return {
    hit({ limit, key, now, count }: Hit): Usage {
      if (now >= nextSweep || now < nextSweep - sweepEveryMs) sweep(now)
      const logs = logsOf(limit)
      const log = logs.get(key) ?? { hits: [], first: 0, windowMs: limit.windowSeconds * 1000 }
      removeExpired(log, now)
      const before = log.hits.length - log.first
      const allowed = before + count <= limit.max
      // The log stays sorted even when the clock has gone back a little.
      const time = Math.max(now, log.hits.at(-1) ?? now)
      if (allowed) for (let n = 0; n < count; n++) log.hits.push(time)

      const used = log.hits.length - log.first
      if (used > 0) logs.set(key, log)
      const blocker = log.hits[log.first + before + count - 1 - limit.max]
      return { allowed, used, oldest: log.hits[log.first] ?? now, blocker: blocker ?? now }
    },
  }
}

export type MemoryCounter = ReturnType<typeof memoryCounter>

const removeExpired = (log: Log, now: number) => {
  const { hits } = log
  while (hits.length > log.first && hits.at(-1)! > now + clockToleranceMs) hits.pop()
  while (log.first < hits.length && hits[log.first]! <= now - log.windowMs) log.first++
  // Dropping them from the array costs as much as there are others, so it is done once half of the array is expired.
  if (log.first === hits.length || (log.first > 32 && log.first * 2 > hits.length)) {
    hits.splice(0, log.first)
    log.first = 0
  }
}

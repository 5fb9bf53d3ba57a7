import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { RedisCounterOptions } from '#platform/limits-redis.ts'
import { type RecentMap, recentMap } from '#platform/recent.ts'

/**
 * At most `max` hits within any stretch of `windowSeconds`. One name always has one window. A `strict` limit guards
 * something that must not be guessed at: while Redis does not say what other nodes have counted, hits are refused
 * with 503. Any other limit is then counted by this process alone.
 */
export type Limit = { name: string; max: number; windowSeconds: number; strict?: true }

export type Verdict = {
  allowed: boolean
  limit: number
  remaining: number
  /** Until everything is free again. */
  resetSeconds: number
  /** 0 when allowed. */
  retryAfterSeconds: number
  /** Limits are switched off: there is nothing to tell anybody. */
  unlimited?: true
}

export type Limiter = {
  /** Counts a hit unless it is refused. Without Redis the answer is there at once, not a promise. */
  hit(limit: Limit, key: string, cost?: number): Verdict | Promise<Verdict>
  /** What a hit would be told, without counting it. */
  peek(limit: Limit, key: string): Verdict | Promise<Verdict>
  forget(limit: Limit, key: string): void | Promise<void>
  close(): Promise<void>
}

/** One question to a log of hits. `record` is false for a peek. */
export type Question = { limit: Limit; key: string; cost: number; record: boolean; now: number }

/** Times in milliseconds; `blocker` is the hit that has to expire before this one fits. */
export type Usage = { allowed: boolean; used: number; newest: number; blocker: number }

export const createLimiter = ({
  clock,
  redisUrl,
  enabled,
  log,
}: {
  clock: Clock
  redisUrl?: string
  enabled: boolean
  log: Pick<Logger, 'info' | 'warn'>
}): Limiter => {
  if (!enabled) return unlimited
  const memory = createMemoryCounter()
  const redis = redisUrl === undefined ? null : redisCounter({ url: redisUrl, log, fallback: memory })

  const ask = (limit: Limit, key: string, cost: number, record: boolean) => {
    const question = { limit, key, cost, record, now: clock.now().getTime() }
    if (!redis) return toVerdict(question, memory.ask(question))
    return redis.then((counter) => counter.ask(question)).then((usage) => toVerdict(question, usage))
  }
  return {
    hit: (limit, key, cost = 1) => ask(limit, key, cost, true),
    peek: (limit, key) => ask(limit, key, 1, false),
    forget: (limit, key) =>
      redis !== null ? redis.then((counter) => counter.forget(limit, key)) : memory.forget(limit, key),
    close: async () => (await redis)?.close(),
  }
}

// Loaded only where it is used: the client costs 30 MB and a sixth of a second at every start.
const redisCounter = async (options: RedisCounterOptions) =>
  (await import('#platform/limits-redis.ts')).createRedisCounter(options)

const unlimited: Limiter = {
  hit: (limit) => free(limit),
  peek: (limit) => free(limit),
  forget: () => {},
  close: async () => {},
}

const free = ({ max }: Limit): Verdict => ({
  unlimited: true,
  allowed: true,
  limit: max,
  remaining: max,
  resetSeconds: 0,
  retryAfterSeconds: 0,
})

const toVerdict = ({ limit, now }: Question, { allowed, used, newest, blocker }: Usage): Verdict => {
  const secondsUntilExpiryOf = (hit: number) => Math.ceil((hit - now) / 1000 + limit.windowSeconds)
  return {
    allowed,
    limit: limit.max,
    remaining: Math.max(0, limit.max - used),
    resetSeconds: used === 0 ? 0 : secondsUntilExpiryOf(newest),
    retryAfterSeconds: allowed ? 0 : secondsUntilExpiryOf(blocker),
  }
}

export const rateLimitHeaders = (verdict: Verdict): Record<string, string> =>
  verdict.unlimited
    ? {}
    : {
        'ratelimit-limit': String(verdict.limit),
        'ratelimit-remaining': String(verdict.remaining),
        'ratelimit-reset': String(verdict.resetSeconds),
        ...(verdict.allowed ? {} : { 'retry-after': String(verdict.retryAfterSeconds) }),
      }

type Log = { hits: number[]; first: number; windowMs: number }

const maxKeys = 50_000
const sweepEveryMs = 60_000
/** How far the clocks of two nodes may differ: hits from further ahead are left over from a clock that was set back. */
export const clockToleranceMs = 10_000

/**
 * An exact log of hits per key. Each limit has a map of its own, so that a flood against one erases nothing of another;
 * of more than `maxKeys` keys of a limit the ones unused for longest are dropped.
 */
const createMemoryCounter = () => {
  const limits = new Map<string, RecentMap<Log>>()
  let nextSweep = 0

  const logsOf = ({ name }: Limit) => {
    const known = limits.get(name)
    if (known) return known
    const logs = recentMap<Log>(maxKeys)
    limits.set(name, logs)
    return logs
  }
  const sweep = (now: number) => {
    nextSweep = now + sweepEveryMs
    for (const logs of limits.values()) logs.deleteIf((log) => log.hits.at(-1)! <= now - log.windowMs)
  }

  return {
    ask({ limit, key, cost, record, now }: Question): Usage {
      if (now >= nextSweep || now < nextSweep - sweepEveryMs) sweep(now)
      const logs = logsOf(limit)
      const log = logs.get(key) ?? { hits: [], first: 0, windowMs: limit.windowSeconds * 1000 }
      forgetExpired(log, now)
      const before = log.hits.length - log.first
      const allowed = before + cost <= limit.max
      // In order also when the clock has gone back a little.
      const time = Math.max(now, log.hits.at(-1) ?? now)
      if (allowed && record) for (let i = 0; i < cost; i++) log.hits.push(time)

      const used = log.hits.length - log.first
      if (used > 0) logs.set(key, log)
      else logs.delete(key)
      const blocker = log.first + Math.min(used + cost - limit.max, used) - 1
      return { allowed, used, newest: log.hits.at(-1) ?? now, blocker: log.hits[blocker] ?? now }
    },
    forget: (limit: Limit, key: string) => logsOf(limit).delete(key),
  }
}

export type MemoryCounter = ReturnType<typeof createMemoryCounter>

const forgetExpired = (log: Log, now: number) => {
  const { hits } = log
  while (hits.length > log.first && hits.at(-1)! > now + clockToleranceMs) hits.pop()
  while (log.first < hits.length && hits[log.first]! <= now - log.windowMs) log.first++
  if (log.first === hits.length || (log.first > 32 && log.first * 2 > hits.length)) {
    hits.splice(0, log.first)
    log.first = 0
  }
}

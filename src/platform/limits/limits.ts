import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Channel } from '#platform/workers/channel.ts'
import type { Hit, Limit, Usage } from './limit.ts'
import { memoryCounter } from './memory.ts'
import { primaryCounter } from './primary.ts'
import type { RedisCounterOptions } from './redis.ts'

export type { Limit } from './limit.ts'

export type Verdict = {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until more of the limit is available. */
  resetSeconds: number
  /** Seconds until the same is allowed; 0 if it was. */
  retryAfterSeconds: number
  /** Limits are switched off, so responses do not mention them. */
  unlimited?: true
}

type Counting = {
  /**
   * Counts a hit, or so many of them, if all are allowed. If this process counts, the verdict is returned at once, not as
   * a promise.
   */
  hit(limit: Limit, key: string, count?: number): Verdict | Promise<Verdict>
  close(): Promise<void>
}

export type Limiter = Counting & {
  /** How many requests were refused because of each limit, by its name. */
  refusals: Map<string, number>
}

type Options = {
  clock: Clock
  redisUrl?: string
  /** The primary process, which counts for all workers. */
  primary?: Channel
  enabled: boolean
  log: Pick<Logger, 'info' | 'warn'>
}

export const createLimiter = (options: Options): Limiter => ({
  ...countingWith(options),
  refusals: new Map(),
})

const countingWith = ({ clock, redisUrl, primary, enabled, log }: Options): Counting => {
  if (!enabled) return unlimited
  if (primary && redisUrl === undefined) return primaryLimiter(clock, primary)
  const memory = memoryCounter()
  if (redisUrl !== undefined) return redisLimiter(clock, { url: redisUrl, log, fallback: memory })

  const hit = (limit: Limit, key: string, count = 1) => {
    const counted = { limit, key, now: clock.now().getTime(), count }
    return toVerdict(counted, memory.hit(counted))
  }
  return {
    hit,
    close: async () => {},
  }
}

const redisLimiter = (clock: Clock, options: RedisCounterOptions): Counting => {
  // Imported only where it is used: the client takes 30 MB and a sixth of a second at every start.
  const loading = import('./redis.ts').then(({ redisCounter }) => redisCounter(options))
  return {
    async hit(limit, key, count = 1) {
      const counted = { limit, key, now: clock.now().getTime(), count }
      return toVerdict(counted, await (await loading).hit(counted))
    },
    close: async () => (await loading).close(),
  }
}

const primaryLimiter = (clock: Clock, primary: Channel): Counting => {
  const counter = primaryCounter(primary)
  return {
    async hit(limit, key, count = 1) {
      const counted = { limit, key, now: clock.now().getTime(), count }
      return toVerdict(counted, await counter.hit(counted))
    },
    close: async () => {},
  }
}

const free = ({ max }: Limit): Verdict => ({
  unlimited: true,
  allowed: true,
  limit: max,
  remaining: max,
  resetSeconds: 0,
  retryAfterSeconds: 0,
})

const unlimited: Counting = { hit: free, close: async () => {} }

const toVerdict = ({ limit, now }: Hit, { allowed, used, oldest, blocker }: Usage): Verdict => {
  const secondsUntilExpiryOf = (hit: number) => Math.ceil((hit - now) / 1000 + limit.windowSeconds)
  return {
    allowed,
    limit: limit.max,
    remaining: Math.max(0, limit.max - used),
    resetSeconds: used === 0 ? 0 : secondsUntilExpiryOf(allowed ? oldest : blocker),
    retryAfterSeconds: allowed ? 0 : secondsUntilExpiryOf(blocker),
  }
}

/** The three headers that most clients know, and the two that later drafts of the standard have instead of them. */
export const rateLimitHeaders = (
  { name, windowSeconds }: Pick<Limit, 'name' | 'windowSeconds'>,
  { unlimited, allowed, limit, remaining, resetSeconds, retryAfterSeconds }: Verdict,
): Record<string, string> =>
  unlimited
    ? {}
    : {
        'ratelimit-limit': String(limit),
        'ratelimit-remaining': String(remaining),
        'ratelimit-reset': String(resetSeconds),
        'ratelimit-policy': `"${name}";q=${limit};w=${windowSeconds}`,
        ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
        ...(allowed ? {} : { 'retry-after': String(retryAfterSeconds) }),
      }

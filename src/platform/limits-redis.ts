import { randomBytes } from 'node:crypto'
import { type CommandParser, createClient, defineScript } from '@redis/client'
import type { Logger } from 'pino'
import { unavailable } from '#platform/errors.ts'
import {
  clockToleranceMs,
  type Limit,
  type MemoryCounter,
  type Question,
  type Usage,
} from '#platform/limits.ts'
import { within } from '#platform/within.ts'

const keyPrefix = 'trivet:limit:'
const callTimeoutMs = 250
const strictTimeoutMs = 3000
const probeEveryMs = 1000
const slowestReconnectMs = 2000

/** The same exact log as in memory, as a sorted set. Times come from the caller's clock, not the server's. */
const askScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local log = KEYS[1]
    local now, window, max, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
    local record, member, tolerance = ARGV[5] == '1', ARGV[6], tonumber(ARGV[7])
    redis.call('ZREMRANGEBYSCORE', log, '-inf', now - window)
    redis.call('ZREMRANGEBYSCORE', log, now + tolerance + 1, '+inf')
    local used = redis.call('ZCARD', log)
    local allowed = used + cost <= max
    if allowed and record then
      for i = 1, cost do redis.call('ZADD', log, now, member .. '.' .. i) end
      used = used + cost
      redis.call('PEXPIRE', log, window)
    end
    local function at(index)
      local hit = index >= 0 and redis.call('ZRANGE', log, index, index, 'WITHSCORES') or {}
      return tonumber(hit[2] or now)
    end
    return { allowed and 1 or 0, used, at(used - 1), at(math.min(used + cost - max, used) - 1) }`,
  parseCommand(parser: CommandParser, { limit, key, cost, record, now }: Question, member: string) {
    parser.pushKey(idOf(limit, key))
    parser.push(String(now), String(limit.windowSeconds * 1000), String(limit.max), String(cost))
    parser.push(record ? '1' : '0', member, String(clockToleranceMs))
  },
  transformReply: ([allowed, used, newest, blocker]: [number, number, number, number]): Usage => ({
    allowed: allowed === 1,
    used,
    newest,
    blocker,
  }),
})

export type RedisCounterOptions = {
  url: string
  log: Pick<Logger, 'info' | 'warn'>
  fallback: MemoryCounter
}

const idOf = (limit: Limit, key: string) => `${limit.name}:${key}`

/**
 * What Redis does not answer in time is answered from memory, so that it keeps nobody waiting: during an outage one
 * call a second asks again, and the others do not wait for it. A strict limit waits longer, and then refuses.
 */
export const createRedisCounter = ({ url, log, fallback }: RedisCounterOptions) => {
  const client = createClient({
    url,
    keyPrefix,
    scripts: { ask: askScript },
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, slowestReconnectMs) },
  })
  let outage = false
  let nextProbe = 0
  let connectionError: unknown
  client.on('error', (error) => {
    connectionError = error
  })
  let waiting: PromiseWithResolvers<void> | null = null
  client.on('ready', () => {
    connectionError = undefined
    nextProbe = 0
    waiting?.resolve()
    waiting = null
  })
  const connected = client.connect()
  connected.catch(() => {})

  const worthAsking = () => {
    if (!outage) return true
    if (!client.isReady || performance.now() < nextProbe) return false
    nextProbe = performance.now() + probeEveryMs
    return true
  }
  const failed = (error: unknown) => {
    nextProbe = performance.now() + probeEveryMs
    if (outage) return
    outage = true
    log.warn(
      { err: connectionError ?? error },
      'Redis does not answer: sign-in is refused, other rate limits are counted by this process alone',
    )
  }
  const answered = () => {
    if (!outage) return
    outage = false
    log.info('Redis answers again: rate limits are shared')
  }

  const node = randomBytes(9).toString('base64url')
  let calls = 0

  const ask = (question: Question) => client.ask(question, `${node}.${calls++}`)

  const attempt = async <T>(command: () => Promise<T>, otherwise: () => T): Promise<T> => {
    if (!worthAsking()) return otherwise()
    try {
      const reply = await within(callTimeoutMs, connected.then(command))
      answered()
      return reply
    } catch (error) {
      failed(error)
      return otherwise()
    }
  }
  const whenReady = () => {
    if (client.isReady) return Promise.resolve()
    waiting ??= Promise.withResolvers()
    return waiting.promise
  }
  const insist = async (question: Question) => {
    try {
      return await within(
        strictTimeoutMs,
        whenReady().then(() => ask(question)),
      )
    } catch (error) {
      failed(error)
      return unavailable('Requests cannot be counted right now', error)
    }
  }

  return {
    ask: (question: Question) =>
      question.limit.strict
        ? insist(question)
        : attempt(
            () => ask(question),
            () => fallback.ask(question),
          ),
    async forget(limit: Limit, key: string) {
      fallback.forget(limit, key)
      await attempt<unknown>(
        () => client.del(idOf(limit, key)),
        () => undefined,
      )
    },
    close: async () => client.destroy(),
  }
}

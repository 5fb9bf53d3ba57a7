import { randomBytes } from 'node:crypto'
import { type CommandParser, createClient, defineScript } from '@redis/client'
import type { Logger } from 'pino'
import { unavailable } from '#platform/errors.ts'
import { withTimeout } from '#platform/with-timeout.ts'
import { clockToleranceMs, type Hit, type Usage } from './limit.ts'
import type { MemoryCounter } from './memory.ts'

const keyPrefix = 'trivet:limit:'
const timeoutMs = 250
const strictTimeoutMs = 3000
const probeEveryMs = 1000
const maxReconnectDelayMs = 2000

/** The same exact log as in memory, as a sorted set. Times come from the caller's clock, not from the server's. */
const hitScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local log = KEYS[1]
    local now, window, max = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    local member, tolerance, count = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
    redis.call('ZREMRANGEBYSCORE', log, '-inf', now - window)
    redis.call('ZREMRANGEBYSCORE', log, now + tolerance + 1, '+inf')
    local before = redis.call('ZCARD', log)
    local used = before
    local allowed = before + count <= max
    if allowed then
      for n = 1, count do redis.call('ZADD', log, now, member .. '.' .. n) end
      used = before + count
      redis.call('PEXPIRE', log, window)
    end
    local function at(index)
      local hit = index >= 0 and redis.call('ZRANGE', log, index, index, 'WITHSCORES') or {}
      return tonumber(hit[2] or now)
    end
    return { allowed and 1 or 0, used, at(0), at(before + count - 1 - max) }`,
  parseCommand(parser: CommandParser, { limit, key, now, count }: Hit, member: string) {
    parser.pushKey(`${limit.name}:${key}`)
    parser.push(String(now), String(limit.windowSeconds * 1000), String(limit.max))
    parser.push(member, String(clockToleranceMs), String(count))
  },
  transformReply: ([allowed, used, oldest, blocker]: [number, number, number, number]): Usage => ({
    allowed: allowed === 1,
    used,
    oldest,
    blocker,
  }),
})

export type RedisCounterOptions = {
  url: string
  log: Pick<Logger, 'info' | 'warn'>
  fallback: MemoryCounter
}

/** Remembers whether Redis responds, logs when that changes, and decides during an outage when to try again. */
const outageMonitor = (log: RedisCounterOptions['log']) => {
  let isOut = false
  let nextProbe = 0
  return {
    /** During an outage, true once every `probeEveryMs`, and only while there is a connection. */
    shouldTry(isConnected: boolean) {
      if (!isOut) return true
      if (!isConnected || performance.now() < nextProbe) return false
      nextProbe = performance.now() + probeEveryMs
      return true
    },
    tryAtOnce() {
      nextProbe = 0
    },
    failed(err: unknown) {
      nextProbe = performance.now() + probeEveryMs
      if (isOut) return
      isOut = true
      log.warn(
        { err },
        'Redis does not respond: sign-in is refused, other rate limits are counted by this process alone',
      )
    },
    succeeded() {
      if (!isOut) return
      isOut = false
      log.info('Redis responds again: rate limits are shared')
    },
  }
}

/**
 * Counts hits in Redis. When it does not respond in time, hits are counted in memory; during an outage one hit a second
 * tries Redis again and the others do not wait. Hits against a strict limit wait longer and are then refused.
 */
export const redisCounter = ({ url, log, fallback }: RedisCounterOptions) => {
  const client = createClient({
    url,
    keyPrefix,
    scripts: { hit: hitScript },
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, maxReconnectDelayMs) },
  })
  const monitor = outageMonitor(log)
  const memberPrefix = randomBytes(9).toString('base64url')
  let connectionError: unknown
  let ready: PromiseWithResolvers<void> | null = null
  let hits = 0

  client.on('error', (error) => {
    connectionError = error
  })
  client.on('ready', () => {
    connectionError = undefined
    monitor.tryAtOnce()
    ready?.resolve()
    ready = null
  })
  const connected = client.connect()
  connected.catch(() => {})

  const whenReady = async () => {
    if (client.isReady) return
    ready ??= Promise.withResolvers()
    await ready.promise
  }
  const send = (hit: Hit) => client.hit(hit, `${memberPrefix}.${hits++}`)

  const hitStrict = async (hit: Hit) => {
    try {
      return await withTimeout(
        strictTimeoutMs,
        whenReady().then(() => send(hit)),
      )
    } catch (error) {
      monitor.failed(connectionError ?? error)
      return unavailable('Requests cannot be counted right now', error)
    }
  }
  const hitOrFallBack = async (hit: Hit) => {
    if (!monitor.shouldTry(client.isReady)) return fallback.hit(hit)
    try {
      const usage = await withTimeout(
        timeoutMs,
        connected.then(() => send(hit)),
      )
      monitor.succeeded()
      return usage
    } catch (error) {
      monitor.failed(connectionError ?? error)
      return fallback.hit(hit)
    }
  }

  return {
    hit: (hit: Hit): Promise<Usage> => (hit.limit.strict ? hitStrict(hit) : hitOrFallBack(hit)),
    close: async () => client.destroy(),
  }
}

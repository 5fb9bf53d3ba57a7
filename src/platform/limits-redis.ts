import { randomBytes } from 'node:crypto'
import { type CommandParser, createClient, defineScript } from '@redis/client'
import type { Logger } from 'pino'
import type { MemoryCounter, Question, Usage } from '#platform/limits.ts'

const keyPrefix = 'trivet:limit:'
const callTimeoutMs = 250
const probeEveryMs = 1000
const slowestReconnectMs = 2000

/** The same exact log as in memory, as a sorted set. Times come from the caller's clock, not the server's. */
const askScript = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local log = KEYS[1]
    local now, window, max, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
    local record, member = ARGV[5] == '1', ARGV[6]
    redis.call('ZREMRANGEBYSCORE', log, '-inf', now - window)
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
  parseCommand(parser: CommandParser, { id, limit, cost, record, now }: Question, member: string) {
    parser.pushKey(id)
    parser.push(String(now), String(limit.windowSeconds * 1000), String(limit.max), String(cost))
    parser.push(record ? '1' : '0', member)
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

/**
 * Never throws and never keeps a request waiting: what Redis does not answer in time is answered from memory.
 * During an outage one call a second asks again, and the others do not wait for it.
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
  client.on('ready', () => {
    connectionError = undefined
    nextProbe = 0
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
      'Redis does not answer: rate limits are counted by this process alone',
    )
  }
  const answered = () => {
    if (!outage) return
    outage = false
    log.info('Redis answers again: rate limits are shared')
  }

  const node = randomBytes(9).toString('base64url')
  let calls = 0

  const attempt = async <T>(command: () => Promise<T>, otherwise: () => T): Promise<T> => {
    if (!worthAsking()) return otherwise()
    try {
      const reply = await withinTime(connected.then(command))
      answered()
      return reply
    } catch (error) {
      failed(error)
      return otherwise()
    }
  }

  return {
    ask: (question: Question) =>
      attempt(
        () => client.ask(question, `${node}.${calls++}`),
        () => fallback.ask(question),
      ),
    async forget(id: string) {
      fallback.forget(id)
      await attempt<unknown>(
        () => client.del(id),
        () => undefined,
      )
    },
    close: async () => client.destroy(),
  }
}

const withinTime = async <T>(reply: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${callTimeoutMs} ms`)), callTimeoutMs)
  })
  try {
    return await Promise.race([reply, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

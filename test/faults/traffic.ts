import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ServiceName } from '#platform/config.ts'

/** Acknowledged; unknown (no response, or 503), so that it may have taken effect; or refused. */
export type Outcome = 'done' | 'unknown' | 'refused'
export type Answer = {
  outcome: Outcome
  status: number
  bytes: Buffer
  // Workloads read responses of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: a response may be anything
  body: any
}
type Request = {
  body?: object
  raw?: Buffer
  headers?: Record<string, string>
  /** The statuses that count as acknowledged. */
  expect?: number[]
  /** The node to send it to. */
  node?: number
}
type Urls = Record<ServiceName, string>

const patienceMs = 20_000
/** Longer than the longest fault. */
const repeatForMs = 120_000
const unanswered: Answer = { outcome: 'unknown', status: 0, bytes: Buffer.alloc(0), body: null }

/** Sends all requests of a round and records wrong responses. `nodes` returns the current addresses. */
export const openTraffic = (nodes: () => Urls[]) => {
  const seen = {
    acknowledged: 0,
    unknown: 0,
    /** Responses that are wrong even during an outage. */
    wrong: [] as string[],
    /** Connections that were closed without a response: expected only if the process was killed. */
    cut: [] as string[],
    /** When a request last got no response. */
    troubleAt: 0,
    slowestMs: 0,
  }
  const repeatable: { service: ServiceName; call: string; request: Request; first: Answer }[] = []

  const send = async (service: ServiceName, call: string, request: Request = {}): Promise<Answer> => {
    const { expect = [200, 201], node = 0 } = request
    const [method = '', path = ''] = call.split(' ', 2)
    const isWrite = method !== 'GET'
    const isJson = request.body !== undefined
    const started = performance.now()
    try {
      const all = nodes()
      const response = await fetch(all[node % all.length]![service] + path, {
        method,
        headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...request.headers },
        body: isJson ? JSON.stringify(request.body) : (request.raw ?? null),
        signal: AbortSignal.timeout(patienceMs),
      } as RequestInit)
      const { status, headers } = response
      const bytes = Buffer.from(await response.arrayBuffer())
      seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - started))
      const parsed = headers.get('content-type')?.startsWith('application/json') && bytes.length > 0
      const body = parsed ? JSON.parse(bytes.toString()) : null
      if (expect.includes(status)) {
        if (isWrite) seen.acknowledged++
        return { outcome: 'done', status, bytes, body }
      }
      const repeatRuns = status === 409 && request.headers?.['idempotency-key']
      if (!repeatRuns && (status !== 503 || !headers.get('retry-after')))
        seen.wrong.push(`${call}: ${status} ${bytes.toString('utf8', 0, 200)}`)
      if (status < 500 && !repeatRuns) return { outcome: 'refused', status, bytes, body }
      if (isWrite) seen.unknown++
      seen.troubleAt = performance.now()
      return { ...unanswered, status, bytes, body }
    } catch (error) {
      const { name, message, cause } = error as Error
      const after = `after ${Math.round(performance.now() - started)} ms`
      if (name === 'TimeoutError') seen.wrong.push(`${call}: no answer ${after}`)
      else seen.cut.push(`${call}: ${cause instanceof Error ? cause.message : message} ${after}`)
      if (isWrite) seen.unknown++
      seen.troubleAt = performance.now()
      return unanswered
    }
  }

  /** Repeats a request on alternating nodes until it gets a response. */
  const untilAnswered = async (service: ServiceName, call: string, request: Request) => {
    const deadline = performance.now() + repeatForMs
    for (let node = request.node ?? 0; ; node++) {
      const answer = await send(service, call, { ...request, node })
      if (answer.outcome !== 'unknown' || answer.status === 500) return answer
      if (performance.now() > deadline) {
        seen.wrong.push(`${call}: unanswered, however often it was repeated`)
        return answer
      }
      await sleep(100)
    }
  }

  /** A request with an Idempotency-Key, which is repeated until it gets a response and must take effect once. */
  const once = async (service: ServiceName, call: string, request: Request = {}) => {
    const headers = { ...request.headers, 'idempotency-key': crypto.randomUUID() }
    const first = await untilAnswered(service, call, { ...request, headers })
    if (first.outcome === 'done') repeatable.push({ service, call, request: { ...request, headers }, first })
    return first
  }

  /** Repeats acknowledged requests on another node and returns those with a different response. */
  const repeatAll = async () => {
    const differing: string[] = []
    for (const { service, call, request, first } of repeatable) {
      const again = await untilAnswered(service, call, { ...request, node: (request.node ?? 0) + 1 })
      if (again.outcome === 'unknown') throw new Error(`${call} cannot be repeated`)
      if (again.status !== first.status || !isDeepStrictEqual(again.body, first.body))
        differing.push(
          `${call} repeated: ${again.status} ${JSON.stringify(again.body)} instead of ` +
            `${first.status} ${JSON.stringify(first.body)}`,
        )
    }
    return differing
  }

  /** A request that must succeed; throws otherwise. */
  const must = async (service: ServiceName, call: string, request: Request = {}) => {
    const answer = await untilAnswered(service, call, request)
    if (answer.outcome !== 'done') throw new Error(`${call}: ${answer.status} ${answer.bytes}`)
    return answer
  }

  return { urls: nodes, seen, send, once, must, repeatAll }
}
export type Traffic = ReturnType<typeof openTraffic>

import { connectionError, errorOf, type TrivetError } from './errors.ts'
import { backoff, wait } from './wait.ts'

export type Transport = (request: Request) => Promise<Response>

export type ClientOptions = {
  /** Where the service is, such as `https://storage.example.com`. */
  baseUrl: string
  /** A token from sign-in, or a function that returns a current one. */
  token?: string | (() => string | Promise<string>)
  /** An API key, instead of a token. */
  apiKey?: string
  /** In a page that the service itself serves: the session of the browser, opened with `POST …/auth/session`. */
  session?: true
  /** Sent with every request. */
  headers?: Record<string, string>
  /** How often a request is repeated that failed without an effect (default: 4). */
  retries?: number
  /** Called before each wait: the connection is lost, or a limit of the server was reached. */
  onWait?(waiting: Waiting): void
  /** Instead of the global one. `send` sends a request as the client would by itself: in browsers, uploads with progress. */
  fetch?: (request: Request, send: Transport) => Promise<Response>
}

/** Why nothing is sent for so many milliseconds. */
export type Waiting = { reason: 'connection' | 'limit'; ms: number }

type Patience = {
  retries?: number
  /**
   * How long to go on without a connection, or while the server refuses for the time being, in milliseconds (default: as
   * many attempts as `retries`).
   */
  offlineMs?: number
  /** Called before each wait, besides that of the client. */
  onWait?(waiting: Waiting): void
  /** How the request is sent, instead of by fetch. */
  transport?: Transport
  /** It may be sent again although the first attempt may have had an effect, whatever its method. */
  repeatable?: boolean
}

/** Sends a request until it succeeds, fails for good, or patience ends. `make` is called for every attempt. */
export type Send = (make: () => Request, patience?: Patience) => Promise<Response>

const passing = new Set([408, 425, 429, 502, 503, 504])
const longestWaitMs = 60_000
const offlinePauseMs = { first: 200, most: 3_000 }

/** Whether it may be sent again although the first attempt may have had an effect. */
const isRepeatable = ({ method, headers }: Request) =>
  ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'].includes(method) || headers.has('idempotency-key')

/** In milliseconds, from seconds or a date. */
const retryAfter = (response: Response) => {
  const value = response.headers.get('retry-after')
  if (!value) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWaitMs) : null
}

const authorize = async (request: Request, { token, apiKey, session, headers = {} }: ClientOptions) => {
  for (const [name, value] of Object.entries(headers))
    if (!request.headers.has(name)) request.headers.set(name, value)
  // Without this header the cookie of the session does not count.
  if (session) request.headers.set('x-trivet-console', '1')
  if (apiKey) request.headers.set('x-api-key', apiKey)
  else if (token && !request.headers.has('authorization')) {
    const current = typeof token === 'function' ? await token() : token
    if (current) request.headers.set('authorization', `Bearer ${current}`)
  }
  return request
}

/** How long to wait before a response is asked for again; null if it is final. */
const pauseAfter = (response: Response, repeatable: boolean, attempt: number, most: number) => {
  const pause = retryAfter(response)
  // A refusal by a limit had no effect, whatever the method.
  const harmless = response.status === 429 || repeatable
  if (!passing.has(response.status) || !harmless) return null
  return pause ?? backoff(attempt, { first: 200, most })
}

export const createSend = (options: ClientOptions): Send => {
  const fetch: Transport = (request) => globalThis.fetch(request)

  return async (make, patience = {}) => {
    const { retries = options.retries ?? 4, offlineMs = 0, onWait, transport = fetch } = patience
    const attemptOnce = (request: Request) =>
      options.fetch ? options.fetch(request, transport) : transport(request)
    const started = Date.now()
    for (let attempt = 0; ; attempt++) {
      const request = await authorize(make(), options)
      const { url, signal } = request
      const repeatable = patience.repeatable ?? isRepeatable(request)
      const goesOn = () => attempt < retries || Date.now() - started < offlineMs
      let failure: TrivetError
      let pause: number | null
      try {
        const response = await attemptOnce(request)
        if (response.ok || response.status === 304) return response
        failure = await errorOf(response)
        const most = offlineMs > 0 ? offlinePauseMs.most : 10_000
        pause = goesOn() ? pauseAfter(response, repeatable, attempt, most) : null
      } catch (error) {
        signal.throwIfAborted()
        failure = connectionError(url, error)
        pause = goesOn() && repeatable ? backoff(attempt, offlinePauseMs) : null
      }
      if (pause === null) throw failure
      const waiting: Waiting = { reason: failure.status === 429 ? 'limit' : 'connection', ms: pause }
      options.onWait?.(waiting)
      onWait?.(waiting)
      await wait(pause, signal)
    }
  }
}

import { safeUrl } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Metrics } from '../metrics.ts'

/** A request whose response has ended, or whose client has disconnected. */
export type Finished = {
  method: string
  url: string
  /** The pattern of the route, not the path that was asked for. */
  route: string
  status: number
  id: string
  /** The trace that it belongs to, if the client names one. */
  trace: string | undefined
  /** Empty if it is not known. */
  ip: string
  ms: number
  /** The client disconnected before it had received the whole response. */
  aborted: boolean
}

/** Counts and logs each request, once, when it is over. */
export const accessLog = ({ log }: Platform, metrics: Metrics) => {
  // All fields of its lines are known: only the URL can contain a secret, and nothing else has to be searched for one.
  const requests = log.child({}, { formatters: { log: (entry) => entry } })
  return ({ method, url, route, status, id, trace, ip, ms, aborted }: Finished) => {
    metrics.observe({ method, route, status }, ms / 1000)
    const entry = {
      reqId: id,
      method,
      url: safeUrl(url),
      status,
      ip: ip || null,
      ms: Math.round(ms * 10) / 10,
      ...(trace && { traceId: trace }),
    }
    requests.info(aborted ? { ...entry, aborted } : entry, 'request')
  }
}

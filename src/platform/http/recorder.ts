import { requestLog } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Metrics } from './metrics.ts'

type Answered = { id: string; method: string; url: string; ip: string }

/** Counts and logs an answer that is over. */
export const recorder = ({ log }: Platform, { observe }: Metrics) => {
  const write = requestLog(log)
  return ({ id: reqId, method, url, ip }: Answered, route: string, status: number, ms: number) => {
    observe(method, route, status, ms / 1000)
    write({ reqId, method, url, status, ip, ms })
  }
}

import { requestLog, requestText } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Metrics, Series } from './metrics.ts'

/** What all answers to one address with one status have in common: where they are counted, and their part of a log line. */
export type Kind = { series: Series; text: string }

/** Counts and logs answers that are over. */
export const recorder = ({ log }: Platform, { seriesOf, observe }: Metrics) => {
  const write = requestLog(log)
  return {
    kindOf: (method: string, url: string, route: string, status: number): Kind => ({
      series: seriesOf(method, route, status),
      text: requestText(method, url, status),
    }),
    /** `aborted`: the client was gone before it had the whole answer. An empty address is one that is not known. */
    record({ series, text }: Kind, id: string, ip: string, ms: number, aborted: boolean) {
      observe(series, ms / 1000)
      write(text, id, ip, ms, aborted)
    },
  }
}

import { collectDefaultMetrics, Registry } from 'prom-client'

const processMetrics = new Registry()
let collecting = false

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Answers of one kind. */
export type Series = { labels: string; buckets: number[]; sum: number; count: number }

/**
 * Prometheus metrics of one server, followed by those of the process. The request histogram is our own: it is
 * touched by every request, and the library's costs as much as all the rest of an empty one.
 */
export const createMetrics = (service: string) => {
  if (!collecting) collectDefaultMetrics({ register: processMetrics })
  collecting = true
  const series = new Map<string, Map<string, Map<number, Series>>>()
  const now = { inFlight: 0, refused: 0 }

  const newSeries = (method: string, route: string, status: number) => {
    const path = route.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
    const labels = `service="${service}",method="${method}",route="${path}",status="${status}"`
    const fresh = { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 }
    const ofRoute = series.get(route) ?? new Map<string, Map<number, Series>>()
    const ofMethod = ofRoute.get(method) ?? new Map<number, Series>()
    series.set(route, ofRoute.set(method, ofMethod.set(status, fresh)))
    return fresh
  }

  // Three look-ups of names that are known already cost less than to join them to one.
  const seriesOf = (method: string, route: string, status: number) =>
    series.get(route)?.get(method)?.get(status) ?? newSeries(method, route, status)

  const observe = (one: Series, seconds: number) => {
    one.sum += seconds
    one.count++
    const bucket = bounds.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) one.buckets[bucket]!++
  }

  const histogram = ({ labels, buckets, sum, count }: Series) => {
    let total = 0
    const lines = bounds.map((bound, index) => {
      total += buckets[index] as number
      return `trivet_http_request_seconds_bucket{${labels},le="${bound}"} ${total}`
    })
    return [
      ...lines,
      `trivet_http_request_seconds_bucket{${labels},le="+Inf"} ${count}`,
      `trivet_http_request_seconds_sum{${labels}} ${sum}`,
      `trivet_http_request_seconds_count{${labels}} ${count}`,
    ]
  }

  const text = async () => {
    const own = [
      '# HELP trivet_http_request_seconds Time from the first byte of a request to the last of its answer',
      '# TYPE trivet_http_request_seconds histogram',
      ...[...series.values()].flatMap((methods) =>
        [...methods.values()].flatMap((statuses) => [...statuses.values()].flatMap(histogram)),
      ),
      '# HELP trivet_http_requests_in_flight Requests being answered now',
      '# TYPE trivet_http_requests_in_flight gauge',
      `trivet_http_requests_in_flight{service="${service}"} ${now.inFlight}`,
      '# HELP trivet_http_overload_refusals_total Requests answered 503 or 429 because too many were in flight, in all or of one client',
      '# TYPE trivet_http_overload_refusals_total counter',
      `trivet_http_overload_refusals_total{service="${service}"} ${now.refused}`,
    ]
    return `${own.join('\n')}\n${await processMetrics.metrics()}`
  }

  return { now, seriesOf, observe, text, contentType: processMetrics.contentType }
}
export type Metrics = ReturnType<typeof createMetrics>

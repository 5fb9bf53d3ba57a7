import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Seat } from '#platform/seat.ts'
import { metricsOfAll } from '#platform/workers/metrics.ts'

const processMetrics = new Registry()
let collecting = false

/** Gauges of prom-client with names of counters, which Prometheus warns about. Each is the sum of one without `_total`. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

const collectProcessMetrics = () => {
  collecting = true
  collectDefaultMetrics({ register: processMetrics })
  for (const name of misnamed) processMetrics.removeSingleMetric(name)
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Prometheus metrics of one server, followed by those of the process; of all workers together, if there are several. */
export const createMetrics = (service: string, seat?: Seat) => {
  if (!collecting) collectProcessMetrics()

  const registry = new Registry()
  registry.setDefaultLabels({ service })
  const registers = [registry]
  const requests = new Histogram({
    name: 'trivet_http_request_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const now = { inFlight: 0 }
  new Gauge({
    name: 'trivet_http_requests_in_flight',
    help: 'Requests whose response is not over yet',
    registers,
    collect() {
      this.set(now.inFlight)
    },
  })
  const refusals = new Counter({
    name: 'trivet_http_overload_refusals_total',
    help: 'Requests answered 503 or 429 because too many were in flight, in all or of one client',
    registers,
  })
  const fastPathResponses = new Counter({
    name: 'trivet_http_fast_path_responses_total',
    help: 'Responses sent from memory, before routing',
    registers,
  })

  const text = seat
    ? metricsOfAll(seat.primary, service, [registry, processMetrics])
    : async () => `${await registry.metrics()}\n${await processMetrics.metrics()}`

  return {
    now,
    refusals,
    fastPathResponses,
    observe: (labels: { method: string; route: string; status: number }, seconds: number) =>
      requests.observe(labels, seconds),
    text,
    contentType: processMetrics.contentType,
  }
}
export type Metrics = ReturnType<typeof createMetrics>

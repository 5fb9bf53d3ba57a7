import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const processMetrics = new Registry()
let collecting = false

/** Prometheus metrics of one server; those of the process are the same for all of them. */
export const createMetrics = (service: string) => {
  if (!collecting) collectDefaultMetrics({ register: processMetrics })
  collecting = true
  const own = new Registry()
  own.setDefaultLabels({ service })
  const duration = new Histogram({
    name: 'trivet_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [own],
  })
  const inFlight = new Gauge({
    name: 'trivet_http_requests_in_flight',
    help: 'Requests being answered now',
    registers: [own],
  })
  const refused = new Counter({
    name: 'trivet_http_overload_refusals_total',
    help: 'Requests answered 503 because too many were in flight',
    registers: [own],
  })
  return {
    duration,
    inFlight,
    refused,
    text: async () => `${await own.metrics()}\n${await processMetrics.metrics()}`,
    contentType: own.contentType,
  }
}
export type Metrics = ReturnType<typeof createMetrics>

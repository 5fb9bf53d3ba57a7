import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Platform } from '#platform/platform.ts'
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

const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** OpenMetrics names a counter without `_total`, has no empty lines, and says where it ends. */
export const asOpenMetrics = (text: string) =>
  `${text
    .replaceAll(/^# TYPE (\S+)_total counter$/gm, '# TYPE $1 counter')
    .replaceAll(/^# HELP (\S+)_total /gm, '# HELP $1 ')
    .replaceAll(/\n+/g, '\n')
    .trim()}\n# EOF\n`

type MeasuredPlatform = Pick<Platform, 'db' | 'limiter' | 'seat'>

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What a service counts or measures besides its requests. Read when the metrics are asked for. */
export type Gauged = {
  name: string
  help: string
  /** How the values of several workers become one; added up if not given. */
  aggregator?: 'min'
  value(): number
}

const gauges = (registers: Registry[], measured: Gauged[]) => {
  for (const { name, help, aggregator = 'sum', value } of measured)
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        this.set(value())
      },
    })
}

const ofDatabase = ({ db }: Pick<Platform, 'db'>): Gauged[] => [
  {
    name: 'trivet_database_available',
    help: 'Whether the database responds: 1 or 0',
    aggregator: 'min',
    value: () => Number(db.available),
  },
  {
    name: 'trivet_database_statements_in_flight',
    help: 'Statements of this process, of all its services, without a result yet',
    value: () => db.load.statements,
  },
  {
    name: 'trivet_database_transactions',
    help: 'Transactions of this process, of all its services, in progress',
    value: () => db.load.transactions,
  },
  {
    name: 'trivet_database_long_statements',
    help: 'Statements of this process that may take long, of all its services, in progress',
    value: () => db.load.long,
  },
  {
    name: 'trivet_database_statements_waiting',
    help: 'Statements of this process, of all its services, that wait for a connection',
    value: () => db.load.statementsWaiting,
  },
  {
    name: 'trivet_database_transactions_waiting',
    help: 'Transactions of this process, of all its services, that wait for a connection',
    value: () => db.load.waiting,
  },
]

/** Every limit that has refused a request of this service. */
const limitRefusals = (service: string, registers: Registry[], { limiter }: Pick<Platform, 'limiter'>) =>
  new Counter({
    name: 'trivet_rate_limit_refusals_total',
    help: 'Requests answered 429 because of a rate limit',
    labelNames: ['limit'],
    registers,
    collect() {
      this.reset()
      for (const [limit, count] of limiter.refusals)
        if (limit.startsWith(`${service}.`)) this.inc({ limit }, count)
    },
  })

/** Prometheus metrics of one server, followed by those of the process; of all workers together, if there are several. */
export const createMetrics = (service: string, ctx?: MeasuredPlatform, measured: Gauged[] = []) => {
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

  if (ctx) {
    gauges(registers, ofDatabase(ctx))
    limitRefusals(service, registers, ctx)
  }
  gauges(registers, measured)

  const text = ctx?.seat
    ? metricsOfAll(ctx.seat.primary, service, [registry, processMetrics])
    : async () => `${await registry.metrics()}\n${await processMetrics.metrics()}`

  return {
    /** For what parts of a service count by themselves. */
    registry,
    now,
    refusals,
    fastPathResponses,
    observe: (labels: { method: string; route: string; status: number }, seconds: number) =>
      requests.observe(labels, seconds),
    text,
    /** The same in the format that the client prefers. */
    format: (rendered: string, accept = '') =>
      /application\/openmetrics-text/i.test(accept)
        ? { type: openMetricsType, text: asOpenMetrics(rendered) }
        : { type: processMetrics.contentType, text: rendered },
  }
}
export type Metrics = ReturnType<typeof createMetrics>

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

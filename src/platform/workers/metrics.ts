import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { withTimeout } from '#platform/with-timeout.ts'
import type { Channel } from './channel.ts'

const topic = 'metrics'
const patienceMs = 1_000

/** The metrics of one worker and one service, as prom-client represents them. */
type Snapshot = MetricObjectWithValues<MetricValue<string>>[]

const snapshotOf = async (registries: Registry[]): Promise<Snapshot> =>
  (await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))).flat()

/** Offers the metrics of this worker, and returns those of all workers together. */
export const metricsOfAll = (primary: Channel, service: string, registries: Registry[]) => {
  primary.on(`${topic} ${service}`, () => snapshotOf(registries))
  return () => primary.ask<string>(topic, service)
}

/** What keeps growing. Of a worker that has ended it still counts; how much memory it used does not. */
const isTotal = ({ type }: { type: unknown }) => type === 'counter' || type === 'histogram'

// The types of prom-client describe snapshots and registries differently than it handles them.
const aggregate = (snapshots: Snapshot[]) => AggregatorRegistry.aggregate(snapshots as never)

/**
 * Adds up the metrics of all workers, in the primary process. Counters never go back: what a worker had counted when it
 * was last asked is kept when it ends.
 */
export const addUpMetrics = (workers: () => Iterable<Channel>) => {
  const latest = new Map<Channel, Map<string, Snapshot>>()
  const ended = new Map<string, Snapshot>()

  const ask = async (worker: Channel, service: string): Promise<Snapshot> => {
    const known = latest.get(worker) ?? new Map<string, Snapshot>()
    latest.set(worker, known)
    try {
      const snapshot = worker.ask<Snapshot | null>(`${topic} ${service}`, null)
      known.set(service, (await withTimeout(patienceMs, snapshot)) ?? [])
    } catch {
      // It is too busy, or has just ended.
    }
    return known.get(service) ?? []
  }

  return {
    join: (worker: Channel) =>
      worker.on(topic, async (service: string) => {
        const snapshots = await Promise.all([...workers()].map((each) => ask(each, service)))
        return aggregate([...snapshots, ended.get(service) ?? []]).metrics()
      }),
    async leave(worker: Channel) {
      const known = latest.get(worker) ?? new Map<string, Snapshot>()
      latest.delete(worker)
      for (const [service, snapshot] of known) {
        const totals = [snapshot.filter(isTotal), ended.get(service) ?? []]
        ended.set(service, (await aggregate(totals).getMetricsAsJSON()) as Snapshot)
      }
    },
  }
}

import { Counter, Gauge, type Registry } from 'prom-client'

type Sources = {
  streams: { readonly size: number }
  deliveries: {
    readonly outcomes: Readonly<Record<'succeeded' | 'failed' | 'dead', number>>
    oldestPending(): Promise<string | null>
  }
  now(): Date
}

/** What an operator watches of events: open streams, outcomes of deliveries, and how far behind they are. */
export const countEvents = (registry: Registry, { streams, deliveries, now }: Sources) => {
  const registers = [registry]
  new Gauge({
    name: 'trivet_event_streams',
    help: 'Streams of events that are open',
    registers,
    collect() {
      this.set(streams.size)
    },
  })
  new Counter({
    name: 'trivet_webhook_deliveries_total',
    help: 'Attempts to deliver events to webhooks by outcome; dead: given up',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(deliveries.outcomes)) this.inc({ outcome }, count)
    },
  })
  new Gauge({
    name: 'trivet_webhook_oldest_pending_seconds',
    help: 'Age of the oldest event that a webhook which is on has not received yet',
    aggregator: 'max',
    registers,
    async collect() {
      const oldest = await deliveries.oldestPending().catch(() => null)
      this.set(oldest === null ? 0 : Math.max(0, (now().getTime() - Date.parse(oldest)) / 1000))
    },
  })
}

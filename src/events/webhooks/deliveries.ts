import { randomUUID } from 'node:crypto'
import { getOrCreate, lru } from '#platform/cache/lru.ts'
import type { Platform } from '#platform/platform.ts'
import { singleFlight } from '#platform/single-flight.ts'
import type { Events, Reader } from '../events.ts'
import { toWire } from '../ids.ts'
import type { createEventLog } from '../log.ts'
import * as store from './deliveries-store.ts'
import { createHealth, type Health } from './health.ts'
import { leftOut, outcomeOf } from './outcome.ts'
import { createLanes, createRunner, type Outcome, type Runner } from './runner.ts'
import type { Sender } from './sender.ts'
import { type HeldWebhook, hasActive } from './store.ts'
import { switchOffIfHopeless } from './switch-off.ts'
import { hurryTopic, secretsOf, webhookTopic } from './webhooks.ts'

/** Longer than an attempt can take after the last moment at which one is begun. */
const holdSeconds = 20
const holdEveryMs = 1_000
const checkEveryMs = 10_000
const managersMs = 1_000
const maxKnown = 1_000
const maxReceivers = 10_000
/** A receiver that takes longer is slow. */
const slowMs = 2_000

/**
 * Delivers events to the webhooks of a service. Each webhook is held by one process at a time, which keeps the order of its
 * subjects and the number of attempts at once. A process that dies holds its webhooks for some seconds more, and another
 * then makes again what it had begun.
 */
export const createDeliveries = <Context extends Platform, Who extends Reader>(
  service: string,
  ctx: Context,
  events: Events<Context, Who>,
  log: ReturnType<typeof createEventLog<Context, Who>>,
  sender: Sender,
) => {
  const { db, clock, signals } = ctx
  const holder = randomUUID()
  const lanes = createLanes()
  const runners = new Map<string, Runner>()
  const receivers = lru<Health>(maxReceivers)
  /** A webhook that gets another address has another receiver. */
  const healthOf = ({ id, url }: HeldWebhook) =>
    getOrCreate(receivers, `${id} ${url}`, () => createHealth(() => clock.now()))
  const outcomes = { succeeded: 0, failed: 0, dead: 0 }
  let finished: store.Finished[] = []
  let isClosed = false
  let mayHaveWebhooks = true
  let checkedAt = Number.NEGATIVE_INFINITY

  const flush = singleFlight(async () => {
    const taken = finished
    finished = []
    if (taken.length > 0) await db.write((q) => store.finishDeliveries(q, service, taken, clock.now()))
  })
  const finish = (webhook: HeldWebhook, id: string, outcome: Omit<store.Finished, 'id' | 'webhook_id'>) => {
    outcomes[outcome.status === 'pending' ? 'failed' : outcome.status]++
    finished.push({ id, webhook_id: webhook.id, ...outcome })
    return flush()
  }

  const known = new Map<string, { at: number; found: ReturnType<typeof events.managers> }>()
  /** Who manages the webhooks of an owner, as of a second ago at most. */
  const managers = (owner: string) => {
    const recent = known.get(owner)
    if (recent && performance.now() - recent.at < managersMs) return recent.found
    if (known.size > maxKnown) known.clear()
    const found = events.managers(ctx, owner)
    known.set(owner, { at: performance.now(), found })
    found.catch(() => known.delete(owner))
    return found
  }

  /** The event as whoever manages the webhook may see it now. */
  const bodyOf = async (webhook: HeldWebhook, due: store.DueDelivery) => {
    if (due.is_removed) return { error: 'The event has been removed' }
    const { reader, emails } = await managers(webhook.owner)
    const maySee = emails.length > 0 && (!events.mayRead || (await events.mayRead(ctx, reader, due)))
    const json = maySee ? await log.present(reader, due) : undefined
    return json === undefined ? { error: 'It may not be seen any more' } : { json, id: toWire(due.id) }
  }

  const attempt = async (webhook: HeldWebhook, due: store.DueDelivery): Promise<Outcome> => {
    const body = await bodyOf(webhook, due)
    if (body.error !== undefined) {
      await finish(webhook, due.delivery_id, leftOut(body.error))
      return { verdict: 'unknown', isStopped: false }
    }
    const message = { url: webhook.url, secrets: secretsOf(ctx, webhook), id: body.id, body: body.json }
    const result = await sender.send({ ...message, now: clock.now() })
    // The connection was closed by this process: another one will make the attempt.
    if (isClosed) return { verdict: 'unknown', isStopped: true }
    const outcome = outcomeOf(result, due.attempts, clock.now())
    await finish(webhook, due.delivery_id, outcome)
    if (outcome.status === 'succeeded')
      return { verdict: result.response_time_ms > slowMs ? 'slow' : 'succeeded', isStopped: false }
    return { verdict: 'failed', isStopped: await switchOffIfHopeless(ctx, service, webhook, result) }
  }

  /** The next tick looks again, once the database is back. */
  const postpone = (err: unknown) => ctx.log.debug({ err }, 'deliveries will be looked for again')

  const start = (webhook: HeldWebhook) => {
    const runner = createRunner(webhook, {
      lanes,
      healthOf,
      due: ({ id }, which) => store.dueDeliveries(db.sql, id, { ...which, now: clock.now() }),
      attempt,
      isClosed: () => isClosed,
      onError: (err) => ctx.log.warn({ err }, 'a delivery could not be recorded and will be made again'),
    })
    runners.set(webhook.id, runner)
    const end = async () => {
      runners.delete(webhook.id)
      if (!isClosed && runner.isHeld()) await store.releaseWebhook(db.sql, webhook.id, holder)
    }
    void runner
      .run()
      .catch((err) => ctx.log.warn({ err }, 'deliveries were interrupted and will be continued'))
      .then(end)
      .then(hold)
      .catch(postpone)
  }

  const hold = singleFlight(async () => {
    if (isClosed || !mayHaveWebhooks || !db.available) return
    const heldAt = performance.now()
    const held = await store.holdWebhooks(db.sql, { service, holder, seconds: holdSeconds, now: clock.now() })
    for (const webhook of held) {
      const runner = runners.get(webhook.id)
      if (runner) runner.hold(webhook, heldAt)
      else if (!isClosed) start(webhook)
    }
  })

  signals.on(webhookTopic, (key) => {
    if (key !== service) return
    mayHaveWebhooks = true
    checkedAt = performance.now()
  })

  signals.on(hurryTopic, (key) => {
    const [webhookId, deliveryId] = key.split(' ') as [string, string]
    runners.get(webhookId)?.hurry(deliveryId)
  })

  const tick = async () => {
    if (isClosed || !db.available) return
    if (performance.now() - checkedAt > checkEveryMs) {
      checkedAt = performance.now()
      mayHaveWebhooks = await hasActive(db.sql, service)
    }
    await hold()
  }
  const ticking = setInterval(() => void tick().catch(postpone), holdEveryMs).unref()

  return {
    isListening: () => mayHaveWebhooks,
    run: hold,
    outcomes,
    oldestPending: () => store.oldestPending(db.sql, service),
    async close() {
      isClosed = true
      clearInterval(ticking)
      sender.close()
      await flush().catch(() => {})
      if (db.available) await store.releaseAll(db.sql, service, holder).catch(() => {})
    },
  }
}

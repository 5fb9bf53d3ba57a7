import { setTimeout as sleep } from 'node:timers/promises'
import { type Limited, limitConcurrency } from '#platform/limit-concurrency.ts'
import type { DueDelivery, Which } from './deliveries-store.ts'
import type { Health, Pace, Verdict } from './health.ts'
import type { HeldWebhook } from './store.ts'

/** How many attempts a webhook has at once. */
const atOnce = 8
/** How many are read at once. They are read ahead for a receiver that is well. */
const readAtOnce: Record<Pace, number> = { swift: 64, slow: 2, down: 1 }
const gatherMs = 4
/** A pause is looked at again so often: the clock may have been set, or the webhook changed. */
const longestSleepMs = 500
/** For how long after a webhook was last held attempts are begun: none is under way when another process may take it. */
const beginMs = 8_000

/**
 * The limits of a node. Receivers that take long and those that are down have places of their own, so that they never take
 * those of the others.
 */
export const createLanes = (): Record<Pace, Limited> => ({
  swift: limitConcurrency(256),
  slow: limitConcurrency(64),
  down: limitConcurrency(32),
})

export type Outcome = { verdict: Verdict; isStopped: boolean }

type Work = {
  lanes: Record<Pace, Limited>
  healthOf(webhook: HeldWebhook): Health
  due(webhook: HeldWebhook, which: Which): Promise<readonly DueDelivery[]>
  attempt(webhook: HeldWebhook, delivery: DueDelivery): Promise<Outcome>
  isClosed(): boolean
  onError(error: unknown): void
}

/** Delivers to one webhook, which this process holds, until nothing is due. */
export const createRunner = (
  held: HeldWebhook,
  { lanes, healthOf, due, attempt, isClosed, onError }: Work,
) => {
  const busy = new Map<string, Promise<void>>()
  /** What was read, for a receiver at this pace, and is not begun. */
  let ahead: { pace: Pace; deliveries: DueDelivery[] } = { pace: 'swift', deliveries: [] }
  let webhook = held
  let heldAt = performance.now()
  let isStopped = false
  /** What was asked for by hand and is not begun. */
  const hurried = new Set<string>()
  let awake = Promise.withResolvers<void>()

  const isHeld = () => performance.now() - heldAt < beginMs
  const mayBegin = () => !isClosed() && !isStopped && isHeld()

  const begin = (delivery: DueDelivery) => {
    const health = healthOf(webhook)
    const { pace } = health
    const work = async () => {
      if (!mayBegin() || health.pace !== pace) return
      const { verdict, isStopped: isLast } = await attempt(webhook, delivery)
      health.record(verdict)
      isStopped ||= isLast
    }
    const done = lanes[pace](work)
      .catch(onError)
      .finally(() => {
        busy.delete(delivery.delivery_id)
        beginNext()
      })
    busy.set(delivery.delivery_id, done)
  }

  const beginNext = () => {
    // What was read for a receiver that turned out to be slow or down is read again, less at a time.
    if (ahead.pace !== healthOf(webhook).pace) ahead.deliveries = []
    while (busy.size < atOnce && mayBegin() && hurried.size === 0) {
      const next = ahead.deliveries.shift()
      if (!next) return
      begin(next)
    }
  }

  const readAhead = async (pace: Pace) => {
    const [most, waiting] = [readAtOnce[pace], busy.size + ahead.deliveries.length]
    if (waiting > most / 2) return
    const known = [...busy.keys(), ...ahead.deliveries.map(({ delivery_id }) => delivery_id)]
    // Only the first of each subject is due, so its order does not depend on when each is attempted.
    const found = await due(webhook, { except: known, limit: most - waiting })
    ahead = { pace, deliveries: [...ahead.deliveries, ...found] }
    beginNext()
  }

  /**
   * What was asked for by hand does not wait for what was read before it. It may be asked for again, and a signal may arrive
   * twice, while it is under way or when it is no longer due: then nothing is begun.
   */
  const beginHurried = async () => {
    const only = [...hurried].slice(0, atOnce - busy.size)
    const found = await due(webhook, { only, except: [...busy.keys()], limit: only.length })
    for (const id of only) hurried.delete(id)
    found.forEach(begin)
    ahead.deliveries = ahead.deliveries.filter(({ delivery_id }) => !busy.has(delivery_id))
  }

  const untilAwake = async (others: Iterable<Promise<void>>) => {
    await Promise.race([...others, awake.promise])
    awake = Promise.withResolvers()
  }

  return {
    /** The webhook was held again; it may have been changed meanwhile. */
    hold(again: HeldWebhook, at: number) {
      webhook = again
      heldAt = at
    },
    isHeld,
    /** A delivery was asked for by hand. */
    hurry(deliveryId: string) {
      hurried.add(deliveryId)
      awake.resolve()
    },
    async run() {
      try {
        while (mayBegin()) {
          if (hurried.size > 0 && busy.size < atOnce) await beginHurried()
          const health = healthOf(webhook)
          const pauseMs = health.pauseMs(webhook.failing_since)
          if (pauseMs > 0 && busy.size === 0) {
            await untilAwake([sleep(Math.min(pauseMs, longestSleepMs), undefined, { ref: false })])
            continue
          }
          if (pauseMs === 0) await readAhead(health.pace)
          if (busy.size === 0) return
          await untilAwake(busy.values())
          // Those that end at the same time make room together.
          await sleep(gatherMs)
        }
      } finally {
        ahead.deliveries = []
        await Promise.all(busy.values())
      }
    },
  }
}
export type Runner = ReturnType<typeof createRunner>

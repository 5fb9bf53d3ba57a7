import { setTimeout as sleep } from 'node:timers/promises'
import type { DueDelivery } from './deliveries-store.ts'
import type { Health, Pace, Verdict } from './health.ts'
import { createLane, type Lanes } from './lanes.ts'
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

export type Outcome = { verdict: Verdict; isStopped: boolean }

type Work = {
  lanes: Lanes
  healthOf(webhook: HeldWebhook): Health
  /** What is due, without what is under way. */
  due(webhook: HeldWebhook, except: string[], limit: number): Promise<readonly DueDelivery[]>
  attempt(webhook: HeldWebhook, delivery: DueDelivery): Promise<Outcome>
  isClosed(): boolean
  onError(error: unknown): void
}

/** Delivers to one webhook, which this process holds, until nothing is due. */
export const createRunner = (
  held: HeldWebhook,
  { lanes, healthOf, due, attempt, isClosed, onError }: Work,
) => {
  const own = createLane(atOnce)
  const busy = new Map<string, Promise<void>>()
  let webhook = held
  let heldAt = performance.now()
  let isStopped = false

  const isHeld = () => performance.now() - heldAt < beginMs
  const mayBegin = () => !isClosed() && !isStopped && isHeld()

  const begin = (delivery: DueDelivery) => {
    const health = healthOf(webhook)
    const { pace } = health
    const work = async () => {
      // What was read for a receiver that turned out to be slow or down is read again, less at a time.
      if (!mayBegin() || health.pace !== pace) return
      const { verdict, isStopped: isLast } = await attempt(webhook, delivery)
      health.record(verdict)
      isStopped ||= isLast
    }
    const done = own(() => lanes[pace](work))
      .catch(onError)
      .finally(() => busy.delete(delivery.delivery_id))
    busy.set(delivery.delivery_id, done)
  }

  return {
    /** The webhook was held again; it may have been changed meanwhile. */
    hold(again: HeldWebhook, at: number) {
      webhook = again
      heldAt = at
    },
    isHeld,
    async run() {
      try {
        while (mayBegin()) {
          const health = healthOf(webhook)
          const pauseMs = health.pauseMs(webhook.failing_since)
          if (pauseMs > 0 && busy.size === 0) {
            await sleep(Math.min(pauseMs, longestSleepMs), undefined, { ref: false })
            continue
          }
          const most = readAtOnce[health.pace]
          // Only the first of each subject is due, so its order does not depend on when each is attempted.
          const found = busy.size <= most / 2 ? await due(webhook, [...busy.keys()], most - busy.size) : []
          found.forEach(begin)
          if (busy.size === 0) return
          await Promise.race(busy.values())
          // Those that end at the same time make room together.
          await sleep(gatherMs)
        }
      } finally {
        await Promise.all(busy.values())
      }
    },
  }
}
export type Runner = ReturnType<typeof createRunner>

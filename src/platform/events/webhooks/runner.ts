import { setTimeout as sleep } from 'node:timers/promises'
import type { DueDelivery } from './deliveries-store.ts'
import { createLane, type Lanes } from './lanes.ts'
import type { HeldWebhook } from './store.ts'

/** How many attempts a webhook has at once, and how many if its receiver fails or takes long. */
const atOnce = 8
const slowAtOnce = 2
const readAhead = 64
const gatherMs = 4
/** For how long after a webhook was last held attempts are begun: none is under way when another process may take it. */
const beginMs = 8_000

export type Outcome = { isSlow: boolean; isStopped: boolean }

type Work = {
  lanes: Lanes
  /** What is due, without what is under way. */
  due(webhook: HeldWebhook, except: string[], limit: number): Promise<readonly DueDelivery[]>
  attempt(webhook: HeldWebhook, delivery: DueDelivery): Promise<Outcome>
  isClosed(): boolean
  onError(error: unknown): void
}

/** Delivers to one webhook, which this process holds, until nothing is due. */
export const createRunner = (held: HeldWebhook, { lanes, due, attempt, isClosed, onError }: Work) => {
  const own = createLane(atOnce)
  const busy = new Map<string, Promise<void>>()
  let webhook = held
  let heldAt = performance.now()
  let isSlow = held.failing_since !== null
  let isStopped = false

  const isHeld = () => performance.now() - heldAt < beginMs
  const mayBegin = () => !isClosed() && !isStopped && isHeld()

  const begin = (delivery: DueDelivery) => {
    const wasSlow = isSlow
    const work = async () => {
      // What was read for a receiver that turned out to be slow is read again, less at a time.
      if (!mayBegin() || isSlow !== wasSlow) return
      const outcome = await attempt(webhook, delivery)
      isSlow = outcome.isSlow
      isStopped ||= outcome.isStopped
    }
    const lane = isSlow ? lanes.slow : lanes.swift
    const done = own(() => lane(work))
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
          const most = isSlow ? slowAtOnce : readAhead
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

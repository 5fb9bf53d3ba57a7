import type { Platform } from '#platform/platform.ts'
import { singleFlight } from '#platform/single-flight.ts'

/** Somebody on this node who wants to know of new events. */
export type Listener = { isListening(): boolean; run(): Promise<void> }

const topic = 'events'
/** Events that are written within this time are handed out together: longer while they keep coming. */
const gatherMs = { first: 10, more: 40 }
const announceEveryMs = 100
/** What other nodes wrote is usually signalled; this finds what operator commands, jobs and crashed nodes wrote. */
const lookEveryMs = 900

/**
 * Tells the listeners of a service that there may be new events: soon after this node wrote some, when another node says
 * that it did, and every second. Where nobody listens on any node, that is a signal to the others ten times a second.
 */
export const createPump = (service: string, { signals, db, log }: Platform, number: () => Promise<void>) => {
  const listeners: Listener[] = []
  let isClosed = false
  let gathering: NodeJS.Timeout | undefined
  let announcing: NodeJS.Timeout | undefined
  let lastRunAt = Number.NEGATIVE_INFINITY

  const run = singleFlight(async () => {
    const listening = listeners.filter((listener) => listener.isListening())
    if (isClosed || listening.length === 0 || !db.available) return
    lastRunAt = performance.now()
    try {
      await number()
      for (const listener of listening) await listener.run()
    } catch (err) {
      if (db.available && !isClosed)
        log.warn({ err, service }, 'events could not be handed out, will be retried')
    }
  })

  const wake = () => {
    if (isClosed || !listeners.some((listener) => listener.isListening())) return
    const isBusy = performance.now() - lastRunAt < 2 * gatherMs.more
    gathering ??= setTimeout(
      () => {
        gathering = undefined
        void run()
      },
      isBusy ? gatherMs.more : gatherMs.first,
    ).unref()
  }
  signals.on(topic, (key) => {
    if (key === service) wake()
  })
  signals.onGap(wake)
  const looking = setInterval(wake, lookEveryMs).unref()

  return {
    add: (listener: Listener) => void listeners.push(listener),
    wake,
    /** To be called after something was written on this node. */
    written() {
      wake()
      announcing ??= setTimeout(() => {
        announcing = undefined
        signals.announce(topic, [service])
      }, announceEveryMs).unref()
    },
    async close() {
      isClosed = true
      clearInterval(looking)
      clearTimeout(gathering)
      clearTimeout(announcing)
      await run()
    },
  }
}

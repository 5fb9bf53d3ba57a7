import { withTimeout } from '#platform/with-timeout.ts'
import type { Channel } from './channel.ts'

const topic = 'signals'

/** A worker that takes longer is not waited for until it responds again. Its caches are unreliable by then (ADR 3). */
const patienceMs = 250

/** Passes signals to the other workers, faster than through the database, and knows when they have been handled. */
export type Relay = {
  pass(payload: string): void
  /** Resolves when all other workers have handled what was passed on so far; undefined if they have already. */
  settled(): Promise<unknown> | undefined
}

export const relayTo = (primary: Channel, deliver: (payload: string) => void): Relay => {
  const unsettled = new Set<Promise<void>>()
  let payloads: string[] = []

  primary.on(topic, (received: string[]) => received.forEach(deliver))

  const send = () => {
    const sent = payloads
    payloads = []
    return primary.ask<void>(topic, sent)
  }
  return {
    pass(payload) {
      if (payloads.push(payload) > 1) return
      // With everything else that is signalled in the same turn.
      const settled = Promise.resolve()
        .then(send)
        .catch(() => {})
        .then(() => void unsettled.delete(settled))
      unsettled.add(settled)
    },
    settled: () => (unsettled.size === 0 ? undefined : Promise.all(unsettled)),
  }
}

/** Passes the signals of each worker to all others and replies when they have handled them, in the primary process. */
export const relaySignals = (workers: () => Iterable<Channel>) => {
  const slow = new WeakSet<Channel>()

  const pass = async (payloads: string[], to: Channel) => {
    const handled = to.ask(topic, payloads).then(() => slow.delete(to))
    if (slow.has(to)) return void handled.catch(() => {})
    await withTimeout(patienceMs, handled).catch(() => slow.add(to))
  }
  return (worker: Channel) =>
    worker.on(topic, async (payloads: string[]) => {
      const others = [...workers()].filter((other) => other !== worker)
      await Promise.all(others.map((other) => pass(payloads, other)))
    })
}

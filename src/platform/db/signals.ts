import type { Logger } from 'pino'
import { type BoardPlace, openBoard } from '#platform/workers/board.ts'
import type { Database, Tx } from './database.ts'
import type { Connection } from './dial.ts'
import type { Feed } from './signal-feeds.ts'
import { watchDatabase } from './watch.ts'

/**
 * Tells every node that something cached has changed. A signal is part of the transaction that makes the change: this
 * node handles it before it responds, other nodes within a second.
 */
export type Signals = {
  publish(tx: Tx, topic: string, key: string): Promise<void>
  /** For what a statement has signalled itself, by `platform.signal`: this node handles it once that has committed. */
  changed(topic: string, key: string): void
  /**
   * The same outside of transactions, for what changes all the time: this node handles them at once, other nodes receive
   * them in batches. A crash may lose some, so other nodes must also expire what they have cached.
   */
  announce(topic: string, keys: readonly string[]): void
  on(topic: string, listener: (key: string) => void): void
  /** Called whenever signals may have been missed: caches must be emptied. */
  onGap(listener: () => void): void
  /**
   * Handles the signals of the other workers on this machine. Every request begins with it, so that a client finds what it
   * has just changed whichever worker it asks next.
   */
  catchUp(): void
  /** False while signals may be late or missing: caches must neither be used nor filled then. */
  readonly reliable: boolean
  close(): Promise<void>
}

const announceEveryMs = 100
const maxAnnouncements = 10_000
/** How often a worker without requests looks for the signals of others. */
const catchUpEveryMs = 100

/** Collects announcements and sends them to the other nodes in batches. */
const announcer = (currentFeed: () => Feed | undefined, log: Logger) => {
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const feed = currentFeed()
    if (!feed || pending.size === 0) return
    const payloads = [...pending]
    pending.clear()
    try {
      await feed.send(payloads)
    } catch (error) {
      log.debug({ err: error }, 'announcements could not be sent, will be retried')
      for (const payload of payloads) if (pending.size < maxAnnouncements) pending.add(payload)
    }
  }
  return {
    add(payload: string) {
      pending.add(payload)
      timer ??= setTimeout(flush, announceEveryMs).unref()
    },
    flush,
  }
}

export const openSignals = async (
  connection: Connection,
  db: Database,
  log: Logger,
  place?: BoardPlace,
): Promise<Signals> => {
  const listeners = new Map<string, ((key: string) => void)[]>()
  const gapListeners: (() => void)[] = []

  const deliver = (payload: string) => {
    const end = payload.indexOf(' ')
    for (const listener of listeners.get(payload.slice(0, end)) ?? []) listener(payload.slice(end + 1))
  }
  const onGap = () => {
    for (const listener of gapListeners) listener()
  }
  const watch = await watchDatabase({ connection, db, log, deliver, onGap })
  const board = place && openBoard(place, { deliver, onGap })
  const catchUp = () => board?.read()
  const catchingUp = board && setInterval(catchUp, catchUpEveryMs).unref()
  /** This process, and the other workers. */
  const tell = (payloads: readonly string[]) => {
    payloads.forEach(deliver)
    board?.post(payloads)
  }
  const announcements = announcer(() => watch.feed, log)

  return {
    async publish(tx, topic, key) {
      await tx`select platform.signal(${topic}, ${key})`
      tx.afterCommit(() => tell([`${topic} ${key}`]))
    },
    changed(topic, key) {
      db.afterCommit(() => tell([`${topic} ${key}`]))
    },
    announce(topic, keys) {
      const payloads = keys.map((key) => `${topic} ${key}`)
      tell(payloads)
      payloads.forEach(announcements.add)
    },
    on: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    catchUp,
    get reliable() {
      return watch.isReliable
    },
    async close() {
      clearInterval(catchingUp)
      await announcements.flush()
      await watch.close()
    },
  }
}

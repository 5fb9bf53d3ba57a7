import type { Logger } from 'pino'
import { type Connection, connect, type Session } from './connection.ts'
import type { Database, Tx } from './database.ts'
import { type Feed, listen, poll, publishSignal } from './signal-feeds.ts'

/**
 * Tells every node that something cached has changed. A signal is part of the transaction that makes it true:
 * this node acts on it before its own answer goes out, the others within a second.
 */
export type Signals = {
  publish(tx: Tx, topic: string, key: string): Promise<void>
  /**
   * The same outside of any transaction, for what changes all the time: this node acts at once, the others are
   * told in batches. What a crash keeps from them they must forget by its age.
   */
  announce(topic: string, key: string): void
  on(topic: string, listener: (key: string) => void): void
  /** Called whenever signals may have been missed: whatever was remembered must be forgotten. */
  onGap(listener: () => void): void
  /** False while signals may be late or missed; what is remembered may not be used then, nor anything new be kept. */
  readonly reliable: boolean
  /** Goes up with every signal and every gap: as long as it stays, so does everything that signals tell of. */
  readonly heard: number
  close(): Promise<void>
}

const beatMs = 250
/** How long after it was asked an answered heartbeat vouches for everything that is remembered. */
const leaseMs = 1_000
/** How many heartbeats may pass unanswered, as long as nobody else is answered either. */
const patience = 40
const announceEveryMs = 100
const mostAnnouncements = 10_000

/**
 * Watches the database on a connection of its own: carries signals and notices when it goes and comes back. A busy
 * machine is not a lost database: as long as anybody's statement is answered, it is there.
 */
export const openSignals = async (connection: Connection, db: Database, log: Logger): Promise<Signals> => {
  const listeners = new Map<string, ((key: string) => void)[]>()
  const gapListeners: (() => void)[] = []
  const announced = new Set<string>()
  let heard = 0
  let isClosed = false
  let reliableUntil = 0
  let unanswered = 0
  let isAsking = false
  let link: { session: Session; feed: Feed } | null = null
  let announcing: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined

  const deliver = (payload: string) => {
    heard++
    const at = payload.indexOf(' ')
    for (const listener of listeners.get(payload.slice(0, at)) ?? []) listener(payload.slice(at + 1))
  }

  const tellOfGap = () => {
    heard++
    for (const listener of gapListeners) listener()
  }

  const connectLink = async () => {
    const session = await connect(connection, {
      applicationName: 'trivet signals',
      onNotification: deliver,
    })
    try {
      const askedAt = performance.now()
      const feed = await (db.pooled ? poll : listen)(session, deliver, tellOfGap)
      if (isClosed) return session.destroy()
      const own = { session, feed }
      link = own
      void session.closed.then(() => lose(own, new Error('connection closed')))
      tellOfGap()
      unanswered = 0
      reliableUntil = askedAt + leaseMs
      db.available = true
    } catch (error) {
      session.destroy()
      throw error
    }
  }

  /** The link is gone; whether the database is, the next attempt to connect tells. */
  const lose = (which: typeof link, reason: unknown) => {
    if (isClosed || which === null || which !== link) return
    log.debug({ err: reason }, 'signal connection lost')
    link = null
    reliableUntil = 0
    which.session.destroy()
    schedule(0)
  }

  const reconnect = async () => {
    try {
      const wasAway = !db.available
      await connectLink()
      if (wasAway) log.info('database back')
    } catch (error) {
      if (isClosed || isAnswering()) return
      if (db.available) log.warn({ err: error }, 'database lost')
      db.available = false
    }
  }

  const isAnswering = () => performance.now() - db.lastAnswerAt < leaseMs

  const ask = async (asked: NonNullable<typeof link>) => {
    const askedAt = performance.now()
    isAsking = true
    try {
      await asked.feed.check()
      unanswered = 0
      if (asked === link) reliableUntil = askedAt + leaseMs
    } catch (error) {
      lose(asked, error)
    } finally {
      isAsking = false
    }
  }

  /** Counts heartbeats instead of looking at the clock, so that time in which this process stood still is not held against the database. */
  const beat = async () => {
    if (!link) await reconnect()
    else if (!isAsking) void ask(link)
    else if (++unanswered >= patience) {
      unanswered = 0
      if (!isAnswering()) {
        log.warn('database lost: it does not answer')
        db.available = false
      }
      lose(link, new Error('no answer'))
    }
    schedule(beatMs)
  }

  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(beat, ms).unref()
  }

  const tellOthers = async () => {
    announcing = undefined
    if (!link || announced.size === 0) return
    const payloads = [...announced]
    announced.clear()
    try {
      await link.feed.send(payloads)
    } catch (error) {
      log.debug({ err: error }, 'announcements will be sent again')
      for (const payload of payloads) if (announced.size < mostAnnouncements) announced.add(payload)
    }
  }

  await connectLink()
  schedule(beatMs)

  return {
    async publish(tx, topic, key) {
      const payload = `${topic} ${key}`
      await publishSignal(tx, db.pooled, payload)
      tx.afterCommit(() => deliver(payload))
    },
    announce(topic, key) {
      const payload = `${topic} ${key}`
      deliver(payload)
      announced.add(payload)
      announcing ??= setTimeout(tellOthers, announceEveryMs).unref()
    },
    on: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: (listener) => void gapListeners.push(listener),
    get reliable() {
      return performance.now() < reliableUntil
    },
    get heard() {
      return heard
    },
    async close() {
      clearTimeout(timer)
      clearTimeout(announcing)
      await tellOthers()
      isClosed = true
      await link?.session.end()
    },
  }
}

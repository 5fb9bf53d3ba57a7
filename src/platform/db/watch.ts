import type { Logger } from 'pino'
import { connect, type Session } from './connection.ts'
import type { Database } from './database.ts'
import { type Connection, isReadOnly } from './dial.ts'
import { type Feed, listen, poll } from './signal-feeds.ts'

const heartbeatMs = 250
/** For how long after it was sent a successful heartbeat guarantees that no signal is missing. */
const guaranteeMs = 1_000
/** How many heartbeats may pass while one is still pending, before the connection is given up. */
const maxMissed = 40

type Link = { session: Session; feed: Feed }

type Options = {
  connection: Connection
  db: Database
  log: Logger
  deliver(payload: string): void
  /** Called whenever signals may have been missed. */
  onGap(): void
}

/**
 * Watches the database on a connection of its own, which carries the signals: sends heartbeats, reconnects, and sets
 * `db.available`. A slow database is not a lost one: as long as any statement gets a result, it is available.
 */
export const watchDatabase = async ({ connection, db, log, deliver, onGap }: Options) => {
  let link: Link | null = null
  let isClosed = false
  let isChecking = false
  let missed = 0
  let reliableUntil = 0
  let timer: NodeJS.Timeout | undefined

  const isResponding = () => performance.now() - db.lastResponseAt < guaranteeMs

  const open = async () => {
    const session = await connect(connection, {
      applicationName: 'trivet signals',
      onNotification: deliver,
    })
    try {
      const startedAt = performance.now()
      const feed = await (db.pooled ? poll : listen)(session, deliver, onGap)
      if (isClosed) return session.destroy()
      const opened = { session, feed }
      link = opened
      void session.closed.then(() => drop(opened, new Error('connection closed')))
      onGap()
      missed = 0
      reliableUntil = startedAt + guaranteeMs
      db.available = true
    } catch (error) {
      session.destroy()
      throw error
    }
  }

  /** Gives up a connection. Whether the database itself is lost shows when reconnecting. */
  const drop = (dropped: Link, reason: unknown) => {
    if (isClosed || dropped !== link) return
    log.debug({ err: reason }, 'signal connection lost')
    link = null
    reliableUntil = 0
    dropped.session.destroy()
    schedule(0)
  }

  const reconnect = async () => {
    try {
      const wasLost = !db.available
      await open()
      if (wasLost) log.info('database back')
    } catch (error) {
      // A server that was demoted responds, and is of no use.
      if (isClosed || (isResponding() && !isReadOnly(error))) return
      if (db.available) log.warn({ err: error }, 'database lost')
      db.available = false
    }
  }

  const check = async (checked: Link) => {
    const startedAt = performance.now()
    isChecking = true
    try {
      await checked.feed.check()
      missed = 0
      if (checked === link) reliableUntil = startedAt + guaranteeMs
    } catch (error) {
      drop(checked, error)
    } finally {
      isChecking = false
    }
  }

  /** Counts heartbeats instead of comparing times, so that a pause of this process does not count against the database. */
  const beat = async () => {
    if (!link) await reconnect()
    else if (!isChecking) void check(link)
    else if (++missed >= maxMissed) {
      missed = 0
      if (!isResponding()) {
        log.warn('database lost: it does not respond')
        db.available = false
      }
      drop(link, new Error('no response'))
    }
    schedule(heartbeatMs)
  }

  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(beat, ms).unref()
  }

  await open()
  schedule(heartbeatMs)

  return {
    get feed() {
      return link?.feed
    },
    /** Whether every signal up to now has been delivered, give or take a second. */
    get isReliable() {
      return performance.now() < reliableUntil
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await link?.session.end()
    },
  }
}

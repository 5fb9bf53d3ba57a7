import type { Logger } from 'pino'
import { within } from '#platform/within.ts'
import type { Database, Tx } from './database.ts'
import { type Connection, driver } from './pool.ts'

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
  /** False while signals may be missed; nothing may be remembered then. */
  reliable: boolean
  /** Goes up with every signal and every gap: as long as it stays, so does everything that signals tell of. */
  heard: number
  close(): Promise<void>
}

const channel = 'trivet_signals'
const heartbeatMs = 500
const announceEveryMs = 100
const heartbeatTimeoutMs = 2_000

/** Watches the database on a connection of its own: carries signals and notices when it goes and comes back. */
export const openSignals = async (connection: Connection, db: Database, log: Logger): Promise<Signals> => {
  const listeners = new Map<string, ((key: string) => void)[]>()
  const gapListeners: (() => void)[] = []
  const state = { reliable: false, closed: false, heard: 0 }
  const seen = new Map<number, number>()
  const announced = new Set<string>()
  let announcing: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let link: ReturnType<typeof driver> | null = null

  const deliver = (payload: string) => {
    state.heard++
    const at = payload.indexOf(' ')
    for (const listener of listeners.get(payload.slice(0, at)) ?? []) listener(payload.slice(at + 1))
  }

  const connect = async () => {
    const options = {
      max: 1,
      fetch_types: false,
      prepare: false,
      max_lifetime: null,
      connection: { application_name: 'trivet signals', TimeZone: 'UTC' },
      onclose: () => lost(fresh, new Error('connection closed')),
      // Not in the driver's types: its own listen() never comes back after a failed reconnect.
      onnotify: (_: string, payload: string) => deliver(payload),
    }
    const fresh = driver(connection, options)
    link = fresh
    if (db.pooled) await poll(fresh, false)
    else await fresh`listen ${fresh(channel)}`
    state.heard++
    for (const listener of gapListeners) listener()
    state.reliable = true
    db.available = true
  }

  /** Where a pooler forbids LISTEN: rows of the last seconds, each delivered once. */
  const poll = async (q: ReturnType<typeof driver>, tell: boolean) => {
    const rows = await q<{ id: number; payload: string }[]>`
      select id, payload from platform.signals where created_at > now() - interval '10 seconds' order by id`
    for (const row of rows) {
      if (!seen.has(row.id) && tell) deliver(row.payload)
      seen.set(row.id, Date.now())
    }
    for (const [id, at] of seen) if (at < Date.now() - 20_000) seen.delete(id)
  }

  const lost = (which: ReturnType<typeof driver>, reason: unknown) => {
    if (state.closed || which !== link) return
    link = null
    void which.end({ timeout: 0 }).catch(() => {})
    if (db.available) log.warn({ err: reason }, 'database lost')
    state.reliable = false
    db.available = false
    schedule(100)
  }

  const beat = async () => {
    const which = link
    if (!which) {
      try {
        await connect()
        log.info('database back')
      } catch (error) {
        if (link) lost(link, error)
        return schedule(250)
      }
    } else {
      try {
        await within<unknown>(heartbeatTimeoutMs, db.pooled ? poll(which, true) : which`select 1`)
      } catch (error) {
        return lost(which, error)
      }
    }
    schedule(heartbeatMs)
  }

  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (!state.closed) timer = setTimeout(beat, ms).unref()
  }

  const tellOthers = async () => {
    announcing = undefined
    if (!link || announced.size === 0) return
    const payloads = [...announced].join('\n')
    announced.clear()
    try {
      if (db.pooled)
        await link`insert into platform.signals (payload) select string_to_table(${payloads}, chr(10))`
      else
        await link`select pg_notify(${channel}, payload) from string_to_table(${payloads}, chr(10)) payload`
    } catch (error) {
      log.warn({ err: error }, 'announcements lost')
    }
  }

  await connect()
  schedule(heartbeatMs)

  return {
    async publish(tx, topic, key) {
      const payload = `${topic} ${key}`
      if (db.pooled) await tx`insert into platform.signals (payload) values (${payload})`
      else await tx`select pg_notify(${channel}, ${payload})`
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
      return state.reliable
    },
    get heard() {
      return state.heard
    },
    async close() {
      state.closed = true
      clearTimeout(timer)
      clearTimeout(announcing)
      await tellOthers()
      await link?.end({ timeout: 1 })
    },
  }
}

/** Rows that every node has long seen. */
export const forgetOldSignals = (db: Database) => db.sql`
  delete from platform.signals where created_at < now() - interval '1 minute'`

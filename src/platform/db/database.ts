import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { unavailable } from '#platform/errors.ts'
import { openEarlyCommits } from './early-commit.ts'
import { isRetryable } from './failures.ts'
import { gathered } from './gathered.ts'
import { type Connection, driver, openPool } from './pool.ts'

/** What a store needs: a tagged template that runs on the pool or inside one transaction. */
export type Sql = postgres.ISql<Record<string, never>>

/** A part of a statement, made with the template of an `Sql` and put into another. */
export type Fragment = postgres.Fragment

/** An open transaction. What must happen only once it is durable goes to `afterCommit`. */
export type Tx = Sql & { afterCommit(action: () => void): void }

export type Database = {
  /** The pool, for single statements. Refused inside a transaction, where it would wait for itself. */
  sql: Sql
  /** One statement that changes something: autocommitted and begun again when another was in the way, or part of the unit of work. */
  write<T>(statement: (q: Sql) => Promise<T>): Promise<T>
  /**
   * A `write` that many want at once, each with an item of theirs: those of the same moment go in one statement, which
   * answers them in their order. Of those that have the same `apart`, only one at a time does.
   */
  gathered<I, T>(
    apart: (item: I) => unknown,
    statement: (q: Sql, items: I[]) => Promise<T[]>,
  ): (item: I) => Promise<T>
  /** Runs `work` in a transaction, again from the start when another one was in the way. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Everything that `work` writes, in whatever functions, becomes one transaction that begins with `open` at
   * the first write and ends with `seal` once `work` has its result. Reads see the unit's own writes.
   */
  unit<T>(
    open: (tx: Tx) => Promise<void>,
    work: () => Promise<T>,
    seal: (tx: Tx, result: T) => Promise<void>,
  ): Promise<T>
  /** Runs `action` once what has been written so far is durable: at once, or when the unit of work commits. */
  afterCommit(action: () => void): void
  /** False while the database is known to be out of reach; everything above then fails at once with 503. */
  available: boolean
  /** Whether a pooler sits between us and the server, so that session state cannot be relied upon. */
  pooled: boolean
  close(): Promise<void>
}

export const statementTimeoutMs = 30_000
const attempts = 6

type Unit = { open: (tx: Tx) => Promise<void>; held: Held | null }
type Held = { tx: Tx; commit(): Promise<void>; rollback(reason: unknown): Promise<void> }

const sessionSettings = (pooled: boolean) => ({
  application_name: 'trivet',
  TimeZone: 'UTC',
  // A pooler refuses start-up parameters that it does not track; there each transaction sets its own.
  ...(pooled ? {} : { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 60_000 }),
})

/** Poolers answer with a process id of their own, not with that of the server process that runs the query. */
const detectPooler = async (connection: Connection) => {
  const probe = driver(connection, { max: 1, prepare: false, fetch_types: false })
  try {
    const [row, version] = await Promise.all([
      probe`select pg_backend_pid() as pid`,
      probe`select current_setting('server_version_num')::int / 10000 as major`,
    ])
    const major = version[0]?.major as number
    if (major < 15) throw new Error(`PostgreSQL ${major} is too old: Trivet needs 15 or newer`)
    return row[0]?.pid !== (row.state as unknown as { pid: number }).pid
  } finally {
    await probe.end({ timeout: 1 })
  }
}

export const openDatabase = async (connection: Connection): Promise<Database> => {
  const pooled = await detectPooler(connection)
  const shared = { prepare: !pooled, connection: sessionSettings(pooled), max_lifetime: null }
  // A few pipelined connections carry more single statements than many; transactions hold theirs alone.
  const reads = openPool(connection, { ...shared, max: 4 })
  const writes = openPool(connection, { ...shared, max: 10 }, { graceSeconds: statementTimeoutMs / 1000 })
  // A pooler cannot be told how a session commits.
  const early = pooled ? null : openEarlyCommits(connection, shared)
  const current = new AsyncLocalStorage<Tx>()
  const units = new AsyncLocalStorage<Unit>()
  const state = { available: true }

  const pool = (): Sql => {
    if (current.getStore())
      throw new Error('The pool was used inside a transaction: pass the transaction on instead')
    if (!state.available) throw unavailable('The database is not available')
    return (units.getStore()?.held?.tx ?? reads.sql) as Sql
  }

  const begin = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const after: (() => void)[] = []
    const result = await writes.sql.begin(async (raw) => {
      if (pooled) await raw`select set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`
      const tx = Object.assign(raw as unknown as Sql, {
        afterCommit: (action: () => void) => void after.push(action),
      })
      return current.run(tx, () => work(tx))
    })
    for (const action of after) action()
    return result as T
  }

  const retried = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt === attempts || !isRetryable(error)) throw error
        await sleep(Math.random() * 10 * 2 ** attempt)
      }
    }
  }

  /** Opens a transaction, does the first work in it, and leaves it open for the rest of the unit. */
  const hold = async <T>(unit: Unit, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const first = Promise.withResolvers<T>()
    const rest = Promise.withResolvers<void>()
    const ended = begin(async (tx) => {
      await unit.open(tx)
      const result = await work(tx)
      unit.held = {
        tx,
        commit() {
          rest.resolve()
          return ended
        },
        rollback(reason) {
          rest.reject(reason)
          return ended.catch(() => {})
        },
      }
      first.resolve(result)
      await rest.promise
    })
    ended.catch(first.reject)
    return first.promise
  }

  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    pool()
    const unit = units.getStore()
    if (!unit) return retried(() => begin(work))
    const held = unit.held
    return held ? current.run(held.tx, () => work(held.tx)) : retried(() => hold(unit, work))
  }

  const unit: Database['unit'] = async (open, work, seal) => {
    const own: Unit = { open, held: null }
    try {
      const result = await units.run(own, work)
      if (!own.held) await units.run(own, () => transaction(async () => {}))
      const held = own.held as Held | null
      if (held) {
        await seal(held.tx, result)
        await held.commit()
      }
      return result
    } catch (error) {
      await own.held?.rollback(error)
      throw error
    }
  }

  const tag = (...args: Parameters<Sql>) => pool()(...args)
  const sql = Object.assign(tag, {
    unsafe: (...args: Parameters<Sql['unsafe']>) => pool().unsafe(...args),
    json: reads.sql.json,
    array: reads.sql.array,
    typed: reads.sql.typed,
    types: reads.sql.types,
  }) as unknown as Sql

  const write: Database['write'] = (statement) => {
    if (units.getStore()) return transaction(statement)
    return retried(() => {
      pool()
      return early ? early.write(statement) : statement(sql)
    })
  }

  return {
    sql,
    write,
    gathered: <I, T>(apart: (item: I) => unknown, statement: (q: Sql, items: I[]) => Promise<T[]>) => {
      const shared = gathered(apart, (items: I[]) => write((q) => statement(q, items)))
      return async (item: I) => {
        if (!units.getStore()) return shared(item)
        const [result] = await transaction((q) => statement(q, [item]))
        return result!
      }
    },
    transaction,
    unit,
    afterCommit(action) {
      const tx = current.getStore() ?? units.getStore()?.held?.tx
      if (tx) tx.afterCommit(action)
      else action()
    },
    get available() {
      return state.available
    },
    set available(value) {
      state.available = value
    },
    pooled,
    async close() {
      await Promise.all([reads.close(), writes.close(), early?.close()])
    },
  }
}

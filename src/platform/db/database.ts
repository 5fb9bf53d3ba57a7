import type { Readable, Writable } from 'node:stream'
import { from, to } from 'pg-copy-streams'
import { unavailable } from '#platform/errors.ts'
import { type Batch, batchWrites } from './batch-writes.ts'
import { connect, isStalePlan } from './connection.ts'
import type { Connection } from './dial.ts'
import { openGroupCommit } from './group-commit.ts'
import { createPool, type Pool } from './pool.ts'
import { poolSizes } from './pool-sizes.ts'
import { probe } from './probe.ts'
import { onlyOnce, type Runner, type Sql, sqlTag } from './sql.ts'
import { retried, type Tx, transactionsOn } from './transactions.ts'

export type { Fragment, Sql } from './sql.ts'
export type { Tx } from './transactions.ts'

/** `rowCount` is known once the stream has ended. */
export type BulkTx = Sql & {
  copyTo(statement: string): Readable & { rowCount: number }
  copyFrom(statement: string): Writable & { rowCount: number }
}

export type Database = {
  /** Single statements. Refused inside a transaction, of which they would not be a part. */
  sql: Sql
  /**
   * The same for statements that may take long, such as searches, reports and exports: few of them run at a time, and the
   * tenants take turns.
   */
  long: Sql
  /**
   * One statement that changes something: committed on its own and retried after a deadlock or a serialization failure,
   * or part of the unit of work. A second statement inside `statement` is refused, because it would be a second commit.
   */
  write<T>(statement: (q: Sql) => Promise<T>): Promise<T>
  /** A `write` that combines the items of concurrent callers into one statement; see `batchWrites`. */
  batchWrites<I, T>(
    batch: Omit<Batch<I, T>, 'run' | 'maxRunning'> & { run: (q: Sql, items: I[]) => Promise<T[]> },
  ): (item: I) => Promise<T>
  /** Runs `work` in a transaction, and again from the start after a deadlock, a serialization failure or a lost connection. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * A unit of work: everything that `work` writes, in whichever functions, is one transaction. It begins with `open` at
   * the first write and ends with `seal` after `work` has returned. Reads see the unit's own writes. If `open` refuses, so does
   * every write, and the unit as a whole.
   */
  unit<T>(
    open: (tx: Tx) => Promise<void>,
    work: () => Promise<T>,
    seal: (tx: Tx, result: T) => Promise<void>,
  ): Promise<T>
  /** Runs `work`, and then `last` in the transaction of what it wrote, or in that of the unit of work around it. */
  followed<T>(work: () => Promise<T>, last: (tx: Tx, result: T) => Promise<void>): Promise<T>
  /**
   * A transaction for bulk work on a connection of its own: with COPY, without time limits, and not retried. `mode` is
   * appended to BEGIN.
   */
  bulk<T>(mode: string, work: (tx: BulkTx) => Promise<T>): Promise<T>
  /** Runs `action` when the current transaction or unit of work has committed, or at once if there is none. */
  afterCommit(action: () => void): void
  /** False while the database is known to be unreachable; everything above then fails at once with 503. */
  available: boolean
  /** When the server last sent a result on any connection, as `performance.now()`. */
  readonly lastResponseAt: number
  /** What this process asks of the database at the moment, and how much of it waits for a connection. */
  readonly load: {
    statements: number
    long: number
    transactions: number
    statementsWaiting: number
    waiting: number
  }
  /** Whether connections go through a pooler, so that session state cannot be relied upon. */
  readonly pooled: boolean
  /** PostgreSQL's `server_version_num`. */
  readonly serverVersion: number
  close(): Promise<void>
}

/** How long a statement may take, and how long a node that hangs may hold the locks of a transaction. */
const timeouts = { statement_timeout: '30s', idle_in_transaction_session_timeout: '5s' }

/** Behind a pooler every transaction sets its own timeouts. */
const beginWithTimeouts = [
  'begin',
  ...Object.entries(timeouts).map(([name, value]) => `set local ${name} to '${value}'`),
].join('; ')

const withoutTimeouts = [
  ...Object.keys(timeouts).map((name) => `set local ${name} to 0`),
  "set local timezone to 'UTC'",
].join('; ')

/** For how long a batch waits for a lock, before its items go their own ways. */
const batchSettings = { lock_timeout: '200ms' }

/** What takes long may not take every core. */
const longSettings = { max_parallel_workers_per_gather: '0' }

/** How many statements that take long may wait, altogether and of the same tenant. */
const longQueue = { all: 200, ofTenant: 30 }

/** How many batches are under way for the same writer. */
const batchesAtOnce = 2

type Options = {
  /** How many processes of this machine divide the connections that one alone would open. */
  workers?: number
  /** Lets statements take as long as they need: for commands, which whoever started them can interrupt. */
  patient?: boolean
}

const countOf = <K extends string>(what: K, pools: Record<K, number>[]) =>
  pools.reduce((sum, pool) => sum + pool[what], 0)

export const openDatabase = async (
  connection: Connection,
  { workers = 1, patient = false }: Options = {},
): Promise<Database> => {
  const { serverVersion, pooled, synchronousCommit, maxConnections } = await probe(connection)
  const sizes = poolSizes({ workers, maxConnections })
  let available = true
  let lastResponseAt = performance.now()
  const onResponse = () => {
    lastResponseAt = performance.now()
  }

  const open = async (settings: Record<string, string> = {}) => {
    const own = {
      ...timeouts,
      ...(patient ? { statement_timeout: '0' } : {}),
      TimeZone: 'UTC',
      // Read by `platform.signal`.
      'trivet.is_direct': 'on',
      synchronous_commit: synchronousCommit,
      ...settings,
    }
    const session = await connect(connection, {
      applicationName: 'trivet',
      settings: pooled ? {} : own,
      prepare: !pooled,
      onResponse,
    })
    if (pooled) await session.query({ text: "set timezone to 'UTC'" }) // a setting that poolers do keep
    return session
  }

  // Kinds of work that may wait for different things have sessions of their own, so that none holds up another.
  const statements = createPool({ open, size: sizes.statements })
  const long = createPool({ open: () => open(longSettings), size: sizes.long, queue: longQueue })
  const changes = createPool({ open, size: sizes.changes })
  // A batch commits synchronously, which saves the flush. Whoever would wait for its locks waits for the next batch anyway.
  const batches = createPool({ open: () => open(batchSettings), size: sizes.batches })
  // Behind a pooler the commit mode of a session cannot be set.
  const groupCommit = pooled ? null : await openGroupCommit(open, sizes.writers)
  const writers = groupCommit ? [groupCommit] : []
  const all = [statements, long, changes, batches, ...writers]
  const transactions = transactionsOn(changes, pooled ? beginWithTimeouts : 'begin')

  const refuseUnlessFree = () => {
    if (transactions.isInside())
      throw new Error('The pool was used inside a transaction: pass the transaction on instead')
    if (!available) unavailable('The database is not available')
  }

  const runOn = (pool: Pool): Runner => {
    const run: Runner = async (query) => {
      try {
        return await pool.query(query)
      } catch (error) {
        if (!isStalePlan(error)) throw error
        return pool.query(query)
      }
    }
    return async (query) => {
      refuseUnlessFree()
      return (transactions.ofUnit()?.run ?? run)(query)
    }
  }
  const sql = sqlTag(runOn(statements))

  const transaction: Database['transaction'] = async (work) => {
    refuseUnlessFree()
    return transactions.transaction(work)
  }

  const write: Database['write'] = (statement) => {
    if (transactions.isInUnit()) return transaction((tx) => statement(onlyOnce(tx)))
    return retried(async () => {
      refuseUnlessFree()
      return groupCommit
        ? groupCommit.write((q) => statement(onlyOnce(q)))
        : statement(onlyOnce(sqlTag(changes.query)))
    })
  }

  // Behind a pooler a batch cannot be told how long to wait for locks.
  const together = sqlTag(batches.query)
  const alone = sqlTag(changes.query)

  return {
    sql,
    long: sqlTag(runOn(long)),
    write,
    batchWrites({ run, ...batch }) {
      const inBatches = batchWrites({
        ...batch,
        maxRunning: batchesAtOnce,
        run: (items) =>
          retried(async () => {
            refuseUnlessFree()
            return run(onlyOnce(items.length > 1 ? together : alone), items)
          }),
      })
      return async (item) => {
        if (!transactions.isInUnit()) return inBatches(item)
        const [result] = await write((q) => run(q, [item]))
        return result!
      }
    },
    transaction,
    async followed(work, last) {
      if (!transactions.isInUnit()) return transactions.unit(async () => {}, work, last)
      const result = await work()
      await transaction((tx) => last(tx, result))
      return result
    },
    async unit(begin, work, seal) {
      return transactions.unit(begin, work, seal)
    },
    async bulk(mode, work) {
      const session = await connect(connection, { applicationName: 'trivet bulk' })
      try {
        await session.query({ text: `begin ${mode}; ${withoutTimeouts}` })
        const tx = Object.assign(sqlTag(session.query), {
          copyTo: (statement: string) => session.copy(to(statement)),
          copyFrom: (statement: string) => session.copy(from(statement)),
        })
        const result = await work(tx)
        const { command } = await session.query({ text: 'commit' })
        if (command !== 'COMMIT')
          throw new Error('The transaction was rolled back: one of its statements failed')
        return result
      } finally {
        session.destroy()
      }
    },
    afterCommit(action) {
      const tx = transactions.innermost()
      if (tx) tx.afterCommit(action)
      else action()
    },
    get available() {
      return available
    },
    set available(value) {
      available = value
      if (value) return
      // Fail the statements in flight: their results may never arrive.
      for (const sessions of all) sessions.destroy()
    },
    get lastResponseAt() {
      return lastResponseAt
    },
    get load() {
      return {
        statements: countOf('inUse', [statements, long, batches, ...writers]),
        long: long.inUse,
        transactions: changes.inUse,
        statementsWaiting: countOf('waiting', [statements, long, batches, ...writers]),
        waiting: changes.waiting,
      }
    },
    pooled,
    serverVersion,
    async close() {
      await Promise.all(all.map((sessions) => sessions.close()))
    },
  }
}

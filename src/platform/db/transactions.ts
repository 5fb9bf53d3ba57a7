import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#platform/errors.ts'
import type { Session } from './connection.ts'
import { Interrupted, isAborted, isDisconnect, isRetryable } from './failures.ts'
import type { Pool } from './pool.ts'
import { type Runner, type Sql, sqlTag } from './sql.ts'

/** An open transaction. Pass what must happen only after its commit to `afterCommit`. */
export type Tx = Sql & { afterCommit(action: () => void): void }

type Unit = {
  open: (tx: Tx) => Promise<void>
  opening: Promise<unknown> | null
  held: Held | null
  /** Why `open` has refused it. */
  refusal?: AppError
}
type Held = { tx: Tx; commit(): Promise<void>; rollback(reason: unknown): Promise<void> }

const maxAttempts = 6

/** Retries `work` with exponential backoff as long as it fails without having changed anything. */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** Transactions, each on a session of its own. `start` is the text that begins one. */
export const transactionsOn = (pool: Pool, start: string) => {
  const current = new AsyncLocalStorage<Tx>()
  const units = new AsyncLocalStorage<Unit>()

  /** A transaction that has ended, or whose connection is lost, refuses every statement. */
  const run = async <T>(
    session: Session,
    after: (() => void)[],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    let stage: 'open' | 'committing' | 'over' = 'open'
    let failure: unknown
    const runner: Runner = async (query) => {
      if (stage !== 'open') throw new Error('The transaction has already ended')
      try {
        return await session.query(query)
      } catch (error) {
        failure ??= error
        // A statement that came behind the failed one only reports that the transaction is aborted.
        throw isAborted(error) ? failure : error
      }
    }
    const tx = Object.assign(sqlTag(runner), {
      afterCommit: (action: () => void) => void after.push(action),
    })
    try {
      await session.query({ text: start })
      const result = await current.run(tx, () => work(tx))
      stage = 'committing'
      const { command } = await session.query({ text: 'commit' })
      if (command !== 'COMMIT')
        throw new Error('The transaction was rolled back: one of its statements failed', { cause: failure })
      return result
    } catch (error) {
      const mayHaveCommitted = stage === 'committing'
      stage = 'over'
      if (isDisconnect(error)) {
        session.destroy()
        throw mayHaveCommitted ? error : new Interrupted(error)
      }
      await session.query({ text: 'rollback' }).catch(session.destroy)
      throw error
    } finally {
      stage = 'over'
    }
  }

  const begin = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const after: (() => void)[] = []
    const result = await pool.use((session) => run(session, after, work))
    for (const action of after) action()
    return result
  }

  /** Opens the transaction of a unit, runs the first `work` in it, and keeps it open for the rest of the unit. */
  const hold = async <T>(unit: Unit, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const first = Promise.withResolvers<T>()
    const rest = Promise.withResolvers<void>()
    const ended = begin(async (tx) => {
      await unit.open(tx).catch((error) => {
        if (error instanceof AppError) unit.refusal = error
        throw error
      })
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
    const unit = units.getStore()
    if (!unit) return retried(() => begin(work))
    // Of several writes that begin at the same time, one opens the transaction.
    while (unit.opening) await unit.opening.catch(() => {})
    if (unit.refusal) throw unit.refusal
    const held = unit.held
    if (held) return current.run(held.tx, () => work(held.tx))
    const opened = retried(() => hold(unit, work))
    unit.opening = opened
    try {
      return await opened
    } finally {
      unit.opening = null
    }
  }

  return {
    transaction,
    /** See `Database.unit`. */
    async unit<T>(
      open: (tx: Tx) => Promise<void>,
      work: () => Promise<T>,
      seal: (tx: Tx, result: T) => Promise<void>,
    ): Promise<T> {
      const own: Unit = { open, opening: null, held: null }
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
    },
    isInside: () => current.getStore() !== undefined,
    isInUnit: () => units.getStore() !== undefined,
    /** The transaction that the unit of work has opened, if there is one. */
    ofUnit: () => units.getStore()?.held?.tx,
    innermost: () => current.getStore() ?? units.getStore()?.held?.tx,
  }
}

import { singleFlight } from '#platform/single-flight.ts'
import { ConnectionLost, type Session } from './connection.ts'
import { createPool, type Size } from './pool.ts'
import { type Sql, sqlTag } from './sql.ts'

/**
 * Group commit: single statements commit asynchronously, which releases their locks before the log is on disk, and one
 * flush of the log then makes all of them durable. Otherwise a row that everybody changes, such as the next order number
 * or an account's quota, would admit one change per disk write. The log is sequential, so a flush covers everything
 * that was committed before it started, and nobody gets a result before that. See ADR 17.
 */
export const openGroupCommit = async (
  open: (settings: Record<string, string>) => Promise<Session>,
  size: Size,
) => {
  let lost = 0
  const onLoss = () => void lost++
  const writers = createPool({ open: () => open({ synchronous_commit: 'off' }), size, onLoss })
  const flusher = createPool({ open: () => open({}), size: { sessions: 1, ofTenant: 1 }, onLoss })
  const q = sqlTag(writers.query)

  const flush = singleFlight(() =>
    flusher.query({
      text: "select pg_logical_emit_message(true, 'trivet', '')",
      values: [],
      name: 'flush',
    }),
  )

  const refuse = (cause?: unknown): never => {
    throw new ConnectionLost(cause ?? 'it was lost before the change was durable')
  }

  // Connect the flusher before anything is written, so that a restart of the server in between counts as a lost connection.
  await flush()

  return {
    get inUse() {
      return writers.inUse + flusher.inUse
    },
    get waiting() {
      return writers.waiting
    },
    /** Fails if a connection was lost meanwhile: a server that restarted may have lost what was not flushed yet. */
    async write<T>(statement: (q: Sql) => Promise<T>): Promise<T> {
      const before = lost
      const result = await statement(q)
      await flush().catch(refuse)
      return lost === before ? result : refuse()
    },
    destroy: () => {
      writers.destroy()
      flusher.destroy()
    },
    close: () => Promise.all([writers.close(), flusher.close()]),
  }
}

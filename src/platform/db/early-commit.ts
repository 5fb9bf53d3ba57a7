import { unavailable } from '#platform/errors.ts'
import { sharedRuns } from '#platform/shared-runs.ts'
import type { Sql } from './database.ts'
import { type Connection, openPool, type PoolOptions } from './pool.ts'

/**
 * Single statements that give their locks back before they are on disk. A row that everybody changes (the next
 * order number, an account's quota) would otherwise let through one change per write to the disk. What was
 * committed later is later in the log too, so one flush makes safe all that was committed before it began, and
 * nobody is answered before that.
 */
export const openEarlyCommits = (connection: Connection, options: PoolOptions) => {
  let lost = 0
  const noting = { onLoss: () => void lost++ }
  const early = { ...options, connection: { ...options.connection, synchronous_commit: 'off' } }
  const lanes = openPool(connection, { ...early, max: 4 }, noting)
  const flusher = openPool(connection, { ...options, max: 1 }, noting)

  const flush = sharedRuns(() => flusher.sql`select pg_logical_emit_message(true, 'trivet', '')`.execute())

  const refuse = (cause?: unknown): never => {
    throw unavailable('The database was lost before the change was safe', cause)
  }

  return {
    /** Fails if a connection went meanwhile: a server that came back may have lost what was not yet flushed. */
    async write<T>(statement: (q: Sql) => Promise<T>): Promise<T> {
      const before = lost
      const result = await statement(lanes.sql as unknown as Sql)
      await flush().catch(refuse)
      return lost === before ? result : refuse()
    },
    close: () => Promise.all([lanes.close(), flusher.close()]),
  }
}

import type postgres from 'postgres'
import { unavailable } from '#platform/errors.ts'
import { sharedRuns } from '#platform/shared-runs.ts'
import { type Connection, driver, type Sql } from './database.ts'
import type { types } from './types.ts'

/**
 * Single statements that give their locks back before they are on disk. A row that everybody changes (the next
 * order number, an account's quota) would otherwise let through one change per write to the disk. What was
 * committed later is later in the log too, so one flush makes safe all that was committed before it began, and
 * nobody is answered before that.
 */
export const openEarlyCommits = (connection: Connection, options: postgres.Options<typeof types>) => {
  let closed = 0
  const shared = { ...options, onclose: () => void closed++ }
  const lanes = driver(connection, {
    ...shared,
    max: 4,
    connection: { ...options.connection, synchronous_commit: 'off' },
  })
  const flusher = driver(connection, { ...shared, max: 1 })

  const flush = sharedRuns(() => flusher`select pg_logical_emit_message(true, 'trivet', '')`.execute())

  return {
    /** Fails if a connection went meanwhile: a server that came back may have lost what was not yet flushed. */
    async write<T>(statement: (q: Sql) => Promise<T>): Promise<T> {
      const before = closed
      const result = await statement(lanes as unknown as Sql)
      await flush()
      if (closed !== before) throw unavailable('The database was lost before the change was safe')
      return result
    },
    close: () => Promise.all([lanes.end({ timeout: 5 }), flusher.end({ timeout: 5 })]),
  }
}

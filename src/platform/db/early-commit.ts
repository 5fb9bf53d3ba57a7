import { sharedRuns } from '#platform/shared-runs.ts'
import { ConnectionLost, type Session } from './connection.ts'
import { sharedSessions } from './sessions.ts'
import { type Sql, sqlTag } from './sql.ts'

/**
 * Single statements that give their locks back before they are on disk. A row that everybody changes (the next
 * order number, an account's quota) would otherwise let through one change per write to the disk. What was
 * committed later is later in the log too, so one flush makes safe all that was committed before it began, and
 * nobody is answered before that.
 */
export const openEarlyCommits = async (open: (settings: Record<string, string>) => Promise<Session>) => {
  let lost = 0
  const noteLoss = () => void lost++
  const lanes = sharedSessions(() => open({ synchronous_commit: 'off' }), 4, noteLoss)
  const flusher = sharedSessions(() => open({}), 1, noteLoss)
  const q = sqlTag(lanes.query)

  const flush = sharedRuns(() =>
    flusher.query({
      text: "select pg_logical_emit_message(true, 'trivet', '')",
      values: [],
      name: 'flush',
    }),
  )

  const refuse = (cause?: unknown): never => {
    throw new ConnectionLost(cause ?? 'it was lost before the change was safe')
  }

  // Opened before anything is written: what is flushed is then on the server that wrote it, or a loss was noted.
  await flush()

  return {
    /** Fails if a connection went meanwhile: a server that came back may have lost what was not yet flushed. */
    async write<T>(statement: (q: Sql) => Promise<T>): Promise<T> {
      const before = lost
      const result = await statement(q)
      await flush().catch(refuse)
      return lost === before ? result : refuse()
    },
    destroy: () => {
      lanes.destroy()
      flusher.destroy()
    },
    close: () => Promise.all([lanes.close(), flusher.close()]),
  }
}

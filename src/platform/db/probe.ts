import { OperatorError } from '#platform/errors.ts'
import { connect } from './connection.ts'
import type { Connection } from './dial.ts'
import { versionOf } from './minors.ts'
import { refusedBy } from './refused.ts'

type Server = { pid: number; version: number; synchronous_commit: string; max_connections: number }

const minVersion = 15

/** Finds out what has to be known about a server before sessions are opened on it. */
export const probe = async (connection: Connection) => {
  const session = await connect(connection, { applicationName: 'trivet' }).catch((error) => {
    throw typeof connection === 'string' ? refusedBy(connection, error) : error
  })
  try {
    const { rows } = await session.query({
      text: `select pg_backend_pid() as pid, current_setting('server_version_num')::int as version,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('max_connections')::int as max_connections`,
    })
    const server = rows[0] as Server
    const { major } = versionOf(server.version)
    if (major < minVersion)
      throw new OperatorError(`PostgreSQL ${major} is too old: Trivet needs ${minVersion} or newer`)
    // A pooler reports a process id of its own, not that of the server process that runs the query.
    const pooled = server.pid !== session.processId
    const isUnsafe = server.synchronous_commit === 'off'
    if (pooled && isUnsafe)
      throw new OperatorError(
        'synchronous_commit is off behind the pooler, so acknowledged writes could be lost: set it to on for the role of DATABASE_URL',
      )
    return {
      serverVersion: server.version,
      pooled,
      synchronousCommit: isUnsafe ? 'on' : server.synchronous_commit,
      maxConnections: server.max_connections,
    }
  } finally {
    await session.end()
  }
}

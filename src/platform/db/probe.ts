import { type Connection, connect } from './connection.ts'

type Server = { pid: number; major: number; synchronous_commit: string }

const oldest = 15

/** What has to be known of a server before sessions are opened on it. */
export const probe = async (connection: Connection) => {
  const session = await connect(connection, { applicationName: 'trivet' })
  try {
    const { rows } = await session.query({
      text: `select pg_backend_pid() as pid, current_setting('server_version_num')::int / 10000 as major,
        current_setting('synchronous_commit') as synchronous_commit`,
    })
    const server = rows[0] as Server
    if (server.major < oldest)
      throw new Error(`PostgreSQL ${server.major} is too old: Trivet needs ${oldest} or newer`)
    // Poolers answer with a process id of their own, not with that of the server process that runs the query.
    const pooled = server.pid !== session.processId
    const isUnsafe = server.synchronous_commit === 'off'
    if (pooled && isUnsafe)
      throw new Error(
        'synchronous_commit is off behind the pooler, so what is answered could be lost: set it to on for the role of DATABASE_URL',
      )
    return { pooled, synchronousCommit: isUnsafe ? 'on' : server.synchronous_commit }
  } finally {
    await session.end()
  }
}

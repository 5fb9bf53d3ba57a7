import { connect } from '#platform/db/connection.ts'
import type { Connection } from '#platform/db/dial.ts'
import { sqlTag } from '#platform/db/sql.ts'

/** A separate connection to a database. */
export const openSql = async (connection: Connection) => {
  const session = await connect(connection, { applicationName: 'trivet test' })
  return Object.assign(sqlTag(session.query), {
    end: session.end,
    destroy: session.destroy,
    copy: session.copy,
  })
}
export type OpenSql = Awaited<ReturnType<typeof openSql>>

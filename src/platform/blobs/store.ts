import type { Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'

/** Identifies this database. A copy that was restored elsewhere has another identity. */
export const databaseIdentity = async (q: Sql) => {
  const id = await value<string>(q`
    select format('%s/%s', c.system_identifier, d.oid) as id
    from pg_control_system() c, pg_database d where d.datname = current_database()`)
  return id
}

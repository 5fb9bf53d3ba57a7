import type { Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'

export const readMark = (q: Sql, id: number) =>
  value<number>(q`select reconcile_mark from publishing.users where id = ${id}`)

/** Unless the account has changed again since the mark was read. */
export const clearMark = (q: Sql, id: number, mark: number) => q`
  update publishing.users set reconcile_mark = 0
  where id = ${id} and reconcile_mark = ${mark} and reconcile_mark > 0`

export const listMarked = async (q: Sql) =>
  (await q<{ id: number }[]>`select id from publishing.users where reconcile_mark > 0 order by id`).map(
    ({ id }) => id,
  )

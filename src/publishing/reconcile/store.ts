import type { Sql } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'

export const readMark = async (q: Sql, id: number) =>
  (await one(q<{ reconcile_mark: number }[]>`select reconcile_mark from publishing.users where id = ${id}`))
    .reconcile_mark

/** Unless the account has changed again since the mark was read. */
export const clearMark = (q: Sql, id: number, mark: number) => q`
  update publishing.users set reconcile_mark = 0
  where id = ${id} and reconcile_mark = ${mark} and reconcile_mark > 0`

export const listMarked = async (q: Sql) =>
  (await q<{ id: number }[]>`select id from publishing.users where reconcile_mark > 0 order by id`).map(
    ({ id }) => id,
  )

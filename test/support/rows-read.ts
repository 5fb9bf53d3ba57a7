import type { Tx } from '#platform/db/database.ts'

/** How many rows of a table the work has read in this transaction, by its indexes or from one end to the other. */
export const rowsRead = async (tx: Tx, table: string, work: () => PromiseLike<unknown>) => {
  const count = async () => {
    const [counted] = await tx<{ rows: number }[]>`
      select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables
      where relid = ${table}::regclass`
    return counted!.rows
  }
  const before = await count()
  await work()
  return (await count()) - before
}

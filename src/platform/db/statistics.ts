import type { Logger } from 'pino'
import type { Database, Sql } from './database.ts'

const intervalMs = 1_000
const afterFailureMs = 60_000

/**
 * Smaller tables are left alone. As long as a table was never analyzed, the planner assumes ten pages, and so plans for
 * its growth; after an analysis it believes what it has seen.
 */
const small = { pages: 4, rows: 200 }

/**
 * Tables that have at least doubled since they were last analyzed. The size of the file includes what any session wrote a
 * moment ago, even if it is not committed yet and an analysis would not count it. The number of rows is counted from the
 * commit, but may arrive ten seconds late.
 */
const grownTables = (q: Sql, schemas: string[]) => q<{ name: string }[]>`
  with tables as materialized (
    select c.oid, format('%I.%I', n.nspname, c.relname) as name, c.relpages, c.reltuples
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas}::text[]) and c.relkind = 'r')
  select name from tables
  where pg_relation_size(oid) / current_setting('block_size')::int >= greatest(${small.pages}, 2 * relpages)
    or pg_stat_get_live_tuples(oid) >= greatest(${small.rows}, 2 * reltuples)
  order by name`

/**
 * On a session of its own, because both statements below may wait for a lock on a table. The sample of a large table that
 * is not in memory takes as long as the disk does.
 */
const patiently = <T>(db: Database, work: (tx: Sql) => Promise<T>) =>
  db.transaction(async (tx) => {
    await tx`select set_config('lock_timeout', '5s', true), set_config('statement_timeout', '0', true)`
    return work(tx)
  })

/** Analyzes every table that has at least doubled since it was last analyzed, and returns their names. */
export const analyzeGrownTables = async (db: Database, schemas: string[]) => {
  const grown = (await patiently(db, (tx) => grownTables(tx, schemas))).map(({ name }) => name)
  // One that is locked is just being analyzed, by another node or by autovacuum.
  for (const name of grown) await patiently(db, (tx) => tx.unsafe(`analyze (skip_locked) ${name}`))
  return grown
}

/**
 * Keeps statistics up to date while tables grow. Sessions cache plans, and a plan that was made for an empty table reads
 * a large one from end to end; an analysis makes every session plan anew. Autovacuum does the same, but a minute or
 * more later. See ADR 35.
 */
export const keepStatistics = (db: Database, schemas: string[], log: Logger) => {
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const check = async () => {
    let pause = intervalMs
    try {
      if (db.available) {
        const tables = await analyzeGrownTables(db, schemas)
        if (tables.length > 0) log.debug({ tables }, 'tables have grown and were analyzed')
      }
    } catch (err) {
      if (db.available && !isClosed) log.warn({ err }, 'tables could not be analyzed, will be retried')
      pause = afterFailureMs
    }
    schedule(pause)
  }

  const schedule = (ms: number) => {
    if (!isClosed) timer = setTimeout(check, ms).unref()
  }

  schedule(0)
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

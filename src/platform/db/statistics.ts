import type { Logger } from 'pino'
import type { Database, Sql } from './database.ts'

const intervalMs = 1_000
const afterFailureMs = 60_000

/**
 * Smaller tables are left alone. As long as a table was never analyzed, the planner assumes ten pages, and so plans for
 * its growth; after an analysis it believes what it has seen.
 */
const minRows = 200

/**
 * Only committed rows count. An analysis does not see the others, so during a bulk load it would report that there are
 * none, and the load itself would be planned accordingly.
 */
const grownTables = (q: Sql, schemas: string[]) => q<{ name: string }[]>`
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any(${schemas}::text[]) and c.relkind = 'r'
    and pg_stat_get_live_tuples(c.oid) >= greatest(${minRows}, 2 * c.reltuples)
  order by 1`

/** A table that is locked is just being analyzed, by another node or by autovacuum. */
const analyze = (db: Database, table: string) =>
  db.transaction(async (tx) => {
    // The sample of a large table that is not in memory takes as long as the disk does.
    await tx`set local statement_timeout to 0`
    await tx.unsafe(`analyze (skip_locked) ${table}`)
  })

/** Analyzes every table that has at least doubled since it was last analyzed, and returns their names. */
export const analyzeGrownTables = async (db: Database, schemas: string[]) => {
  const grown = (await grownTables(db.sql, schemas)).map(({ name }) => name)
  for (const name of grown) await analyze(db, name)
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

import type { Sql } from './database.ts'

/**
 * How the statements inside of database functions are planned: every row is looked up by an index, and a plan is made once.
 * A function keeps the plan of its first call, when its tables may be empty; left to itself, the planner would then read
 * whole tables, and go on doing so while they grow.
 */
const settings = `
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
  set enable_hashjoin = off set enable_mergejoin = off set enable_material = off`

/**
 * Sets this for the PL/pgSQL functions of a schema that read tables. Triggers run under the settings of whoever changes their
 * table, and a function that reads much says so by a setting of its own.
 */
export const planByIndex = async (tx: Sql, schema: string) => {
  const functions = await tx<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
    where n.nspname = ${schema} and l.lanname = 'plpgsql' and p.provolatile <> 'i'
      and p.prorettype <> 'trigger'::regtype and p.proconfig is null`
  if (functions.length > 0)
    await tx.unsafe(functions.map(({ signature }) => `alter function ${signature} ${settings};`).join('\n'))
}

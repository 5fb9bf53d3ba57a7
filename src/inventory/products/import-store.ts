import type { Sql } from '#platform/db/database.ts'

/** One line of an imported file: its cells by column, or why it cannot be used. */
export type ImportLine = { line: number; sku: string; cells: Record<string, string>; problem: string | null }

export const insertLines = (q: Sql, importId: string, lines: readonly ImportLine[], now: Date) => q`
  insert into inventory.import_lines (import_id, line, sku, cells, problem, created_at)
  select ${importId}, l.line, l.sku, l.cells, l.problem, ${now}
  from jsonb_to_recordset(${q.json(lines)}) as l (line bigint, sku text, cells jsonb, problem text)`

/**
 * The next lines, each with the line of an earlier batch that used the same SKU, if there is one. It is looked up for each
 * line: the planner believes that none is used, as it was when the lines arrived, and would read all of them each time.
 */
export const linesAfter = (q: Sql, importId: string, line: number, limit: number) => q<
  (ImportLine & { used_by: number | null })[]
>`
  select l.line, l.sku, l.cells, l.problem, u.line as used_by
  from (select * from inventory.import_lines where import_id = ${importId} and line > ${line}
    order by line limit ${limit}) l
  left join lateral (
    select line from inventory.import_lines
    where import_id = ${importId} and sku = l.sku and is_used limit 1) u on true
  order by l.line`

export const markUsed = (q: Sql, importId: string, lines: readonly number[]) => q`
  update inventory.import_lines set is_used = true
  where import_id = ${importId} and line = any(${lines as number[]}::bigint[])`

export const deleteLines = (q: Sql, importId: string) => q`
  delete from inventory.import_lines where import_id = ${importId}`

/** Lines left behind by a process that died during an import. */
export const deleteAbandoned = (q: Sql, before: Date) => q`
  delete from inventory.import_lines where created_at < ${before}`

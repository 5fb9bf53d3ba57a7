import { Command } from '@commander-js/extra-typings'
import { integer, type Operate, type Output } from './cli.ts'
import { OperatorError } from './errors.ts'
import type { ListPage, ListResult } from './list-page.ts'
import { printable } from './printable.ts'

const mostRows = 1_000

type ListOptions<Context, Row> = {
  /** What the search looks at, for the help. */
  searches: string
  read(ctx: Context, page: ListPage): Promise<ListResult<Row>>
  /** The columns of the table; `--json` prints the rows as they are. */
  columns: Record<string, (row: Row) => string | number>
}

/** Columns as wide as their longest value, the last one ragged. */
const table = <Row>(rows: readonly Row[], columns: Record<string, (row: Row) => string | number>) => {
  const cells = [
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((show) => printable(String(show(row))))),
  ]
  const widths = Object.keys(columns).map((_, n) => Math.max(...cells.map((line) => line[n]!.length)))
  return cells
    .map(
      (line) =>
        `${line
          .map((cell, n) => cell.padEnd(widths[n]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** A command that lists what other commands ask for: `trivet storage organizations [--search TEXT]`. */
export const listCommand = <Context, Row>(
  name: string,
  description: string,
  { searches, read, columns }: ListOptions<Context, Row>,
  operate: Operate<Context>,
  stdout: Output,
) =>
  new Command(name)
    .description(description)
    .option('--search <text>', `Only those with this text in ${searches}`)
    .option('--limit <n>', `How many at once, up to ${mostRows} (default: 50)`, integer)
    .option('--page <n>', 'Which part of a longer list (default: 1)', integer)
    .option('--json', 'As JSON, with every field')
    .action(({ search, limit = 50, page = 1, json }) =>
      operate(async (ctx) => {
        if (limit < 1 || limit > mostRows) throw new OperatorError(`--limit must be 1 to ${mostRows}`)
        if (page < 1) throw new OperatorError('--page must be at least 1')
        const { total, rows } = await read(ctx, { search: search ?? null, limit, offset: (page - 1) * limit })
        if (json) return void stdout.write(`${JSON.stringify({ total, page, limit, rows }, null, 2)}\n`)
        if (rows.length > 0) stdout.write(table(rows, columns))
        const last = (page - 1) * limit + rows.length
        const more = last < total ? `; --page ${page + 1} shows more` : ''
        stdout.write(rows.length === total ? `${total} in all.\n` : `${last} of ${total}${more}.\n`)
      }),
    )

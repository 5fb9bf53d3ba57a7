import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'

/** What a spreadsheet would run as a formula, with any quotes that already guard it. Some read full-width signs too. */
const risky = /^'*[=+\-@＝＋－＠\t\r\n]/

/** A quote in front keeps spreadsheets from running a cell; `unguard` takes exactly that one away. */
const guard = (cell: string) => (risky.test(cell) ? `'${cell}` : cell)
export const unguard = (cell: string) => (cell.startsWith("'") && risky.test(cell) ? cell.slice(1) : cell)

type Cell = string | number | boolean | null | undefined

const line = (cells: readonly Cell[]) =>
  stringify([cells.map((cell) => guard(String(cell ?? '')))], {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
  })

/** Makes Excel read a file as UTF-8. */
const byteOrderMark = '\ufeff'

/** A CSV file as a stream: rows are read no faster than the client takes them. */
export const csvStream = (
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  { bom = 0 }: { bom?: number } = {},
): Readable => {
  const text = async function* () {
    yield (bom ? byteOrderMark : '') + line(header)
    for await (const rows of batches) yield rows.map(line).join('')
  }
  return Readable.from(text(), { objectMode: false })
}

/** Reads rows in batches, each beginning after the last id of the one before. */
export async function* runs<T extends { id: number }>(next: (afterId: number) => PromiseLike<readonly T[]>) {
  for (let after = 0; ; ) {
    const rows = await next(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}

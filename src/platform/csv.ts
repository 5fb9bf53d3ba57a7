import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'

/** What a spreadsheet would run as a formula, with any quotes that already guard it. Some read full-width signs too. */
const risky = /^'*[=+\-@＝＋－＠\t\r\n]/

/** A quote in front keeps spreadsheets from running a cell; `unguard` takes exactly that one away. */
const guard = (cell: string) => (risky.test(cell) ? `'${cell}` : cell)
export const unguard = (cell: string) => (cell.startsWith("'") && risky.test(cell) ? cell.slice(1) : cell)

/** An exact number as text, such as an amount: whatever its sign, no spreadsheet runs it. */
export const numeric = (text: string) => ({ numeric: text })

type Cell = string | number | boolean | null | undefined | ReturnType<typeof numeric>

const written = (cell: Cell) =>
  typeof cell === 'number'
    ? String(cell)
    : typeof cell === 'object' && cell
      ? cell.numeric
      : guard(String(cell ?? ''))

const lines = (rows: readonly (readonly Cell[])[]) =>
  stringify(
    rows.map((cells) => cells.map(written)),
    { record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
  )

/** As many rows as take well under a millisecond. */
const rowsAtOnce = 25

let last: Promise<unknown> = Promise.resolve()
/** Of all files that are being written, one may go on in each turn of the event loop, so that requests get theirs. */
const ownTurn = () => {
  last = last.then(() => turn())
  return last
}

/** Makes Excel read a file as UTF-8. */
const byteOrderMark = '\ufeff'

/** A CSV file as a stream: rows are read no faster than the client takes them. */
export const csvStream = (
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  { bom = 0 }: { bom?: number } = {},
): Readable => {
  const text = async function* () {
    yield (bom ? byteOrderMark : '') + lines([header])
    for await (const rows of batches)
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        yield lines(rows.slice(from, from + rowsAtOnce))
        await ownTurn()
      }
  }
  return Readable.from(text(), { objectMode: false })
}

/** Reads rows in batches, each beginning after the last row of the one before; the first after `start`. */
export async function* runsAfter<T>(start: T | null, next: (after: T | null) => PromiseLike<readonly T[]>) {
  for (let after = start; ; ) {
    const rows = await next(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last
  }
}

/** Reads rows in the order of their ids, which are numbers. */
export const runs = <T extends { id: number }>(next: (afterId: number) => PromiseLike<readonly T[]>) =>
  runsAfter<T>(null, (last) => next(last?.id ?? 0))

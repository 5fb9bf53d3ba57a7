import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { unguard } from '#platform/csv.ts'
import { AppError, badRequest } from '#platform/errors.ts'
import type { ImportLine } from './import-store.ts'

const mostBytes = 64 * 1024 * 1024
const mostLines = 500_000
/** So many bad lines are reported one by one; at the next the import stops. */
export const mostBadLines = 1_000
const batchLines = 500
const batchCharacters = 1024 * 1024
/** More than the longest column accepts. */
const cellCharacters = 20_000

/** The parser reads all that it is given at once, even where reading should have stopped. */
const pieceCharacters = 4 * 1024

// A line that does not fit is that line's own problem, not the file's.
const options = {
  bom: true,
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  // They are still counted; returning each of them would cost far more than reading it.
  skip_empty_lines: true,
  max_record_size: batchCharacters,
  writableHighWaterMark: pieceCharacters,
}
/** Checks the announced length of a body, and its length so far. */
export const requireSize = (bytes: number) => {
  if (bytes > mostBytes) throw new AppError(413, `Body must have at most ${mostBytes} bytes`)
}

/** Where reading stands. The whole body is hashed even after parsing has stopped: a repeat is recognised by the hash. */
type Reading = { hash: ReturnType<typeof createHash>; stopped: boolean }

/** The text of a body as it arrives. */
async function* decoded(body: Readable, reading: Reading) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let bytes = 0
  try {
    // The rest of a refused body is left to the server, which still has to respond.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      requireSize(bytes)
      reading.hash.update(chunk)
      if (reading.stopped) continue
      const text = decoder.decode(chunk, { stream: true })
      for (let at = 0; at < text.length && !reading.stopped; at += pieceCharacters)
        yield text.slice(at, at + pieceCharacters)
    }
    if (!reading.stopped) yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new AppError(400, 'Body is not valid UTF-8', { cause: error })
    throw error
  }
}

const columnsOf = (head: readonly string[]) => {
  const names = head.map((name) => name.trim().toLowerCase())
  if (!names.includes('sku')) badRequest('The first line must name the columns, sku among them')
  const again = names.find((name, i) => name !== '' && names.indexOf(name) < i)
  if (again !== undefined) badRequest(`The first line names the column ${again} twice`)
  return names
}

const isBlank = (record: readonly string[]) => record.length === 1 && record[0] === ''

/** How many lines of the file it takes besides its first: cells may be written over several. */
const linesWithin = (record: readonly string[]) =>
  record.reduce((lines, cell) => lines + (cell.match(/\r?\n/g)?.length ?? 0), 0)

const lineOf = (line: number, names: readonly string[], record: readonly string[]): ImportLine => {
  const problem =
    record.length !== names.length
      ? `The line has ${record.length} fields instead of ${names.length}`
      : record.some((cell) => cell.includes('\0'))
        ? 'The line contains a NUL character'
        : record.some((cell) => cell.length > cellCharacters)
          ? 'The line has a cell that no column takes'
          : null
  // Unusable cells are not stored; the database could not store a NUL at all.
  if (problem) return { line, sku: '', cells: {}, problem }
  const cells = Object.fromEntries(names.map((name, i) => [name, unguard(record[i] ?? '')]))
  return { line, sku: cells.sku ?? '', cells, problem }
}

/** `empty_lines` are those before this record. */
type Parsed = { record: string[]; info: { empty_lines: number } }

/** The lines of a file, up to the first bad one too many. */
async function* readLines(body: Readable, reading: Reading): AsyncGenerator<ImportLine> {
  const parser = parse(options)
  // An error also ends the parser, where it is caught below.
  pipeline(decoded(body, reading), parser).catch(() => {})
  let names: string[] | undefined
  let rows = 0
  let withinEarlier = 0
  let bad = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (reading.stopped) continue
      const row = ++rows + info.empty_lines
      if (row > mostLines) throw new AppError(413, `A file must have at most ${mostLines} lines`)
      const line = row + withinEarlier
      withinEarlier += linesWithin(record)
      if (isBlank(record)) continue
      if (!names) {
        names = columnsOf(record)
        continue
      }
      const read = lineOf(line, names, record)
      if (read.problem && ++bad > mostBadLines) reading.stopped = true
      yield read
    }
  } catch (cause) {
    if (cause instanceof AppError || !(cause as { code?: string }).code?.startsWith('CSV_')) throw cause
    // Where parsing stopped, the last record may be incomplete.
    if (reading.stopped) return
    throw new AppError(400, `Not a valid CSV file: ${(cause as Error).message}`, { cause })
  }
  if (!names) columnsOf([])
}

/** Reads a file in batches of bounded size, no faster than they are consumed, and returns its digest at the end. */
export async function* readBatches(body: Readable): AsyncGenerator<ImportLine[], string> {
  const reading: Reading = { hash: createHash('sha256'), stopped: false }
  let batch: ImportLine[] = []
  let characters = 0
  for await (const line of readLines(body, reading)) {
    batch.push(line)
    for (const cell of Object.values(line.cells)) characters += cell.length
    if (batch.length < batchLines && characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
  return reading.hash.digest('hex')
}

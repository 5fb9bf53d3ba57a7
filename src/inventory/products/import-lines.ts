import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { AppError, badRequest } from '#platform/errors.ts'
import { unguard } from '../csv.ts'
import type { ImportLine } from './import-store.ts'

const mostBytes = 64 * 1024 * 1024
const batchLines = 500
const batchCharacters = 1024 * 1024
/** More than any column takes, whatever the characters. */
const cellCharacters = 20_000

// A line that does not fit is that line's own problem, not the file's.
const options = {
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: batchCharacters,
}
/** Of bytes that were announced, or have come. */
export const requireSize = (bytes: number) => {
  if (bytes > mostBytes) throw new AppError(413, `Body must have at most ${mostBytes} bytes`)
}

/** The text of a body as it arrives, and what a repeat of it is recognised by. */
async function* decoded(body: Readable, hash: ReturnType<typeof createHash>) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let bytes = 0
  try {
    // The rest of a refused body is left to the server, which still has an answer to send.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      requireSize(bytes)
      hash.update(chunk)
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
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

/** How many lines of the file it takes: cells may be written over several. */
const height = (record: readonly string[]) =>
  record.reduce((lines, cell) => lines + (cell.match(/\r?\n/g)?.length ?? 0), 1)

const lineOf = (line: number, names: readonly string[], record: readonly string[]): ImportLine => {
  const problem =
    record.length !== names.length
      ? `The line has ${record.length} fields instead of ${names.length}`
      : record.some((cell) => cell.includes('\0'))
        ? 'The line contains a NUL character'
        : record.some((cell) => cell.length > cellCharacters)
          ? 'The line has a cell that no column takes'
          : null
  // What cannot be used is not kept, and the database could not keep a NUL.
  if (problem) return { line, sku: '', cells: {}, problem }
  const cells = Object.fromEntries(names.map((name, i) => [name, unguard(record[i] ?? '')]))
  return { line, sku: cells.sku ?? '', cells, problem }
}

/** Reads a file in batches of bounded size, no faster than they are taken. Answers its digest in the end. */
export async function* readBatches(body: Readable): AsyncGenerator<ImportLine[], string> {
  const hash = createHash('sha256')
  const parser = parse(options)
  // Whatever goes wrong ends the parser with it, and is met there.
  pipeline(decoded(body, hash), parser).catch(() => {})
  let names: string[] | undefined
  let next = 1
  let batch: ImportLine[] = []
  let characters = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const line = next
      next += height(record)
      if (isBlank(record)) continue
      if (names) {
        batch.push(lineOf(line, names, record))
        characters += record.reduce((sum, cell) => sum + cell.length, 0)
      } else names = columnsOf(record)
      if (batch.length < batchLines && characters < batchCharacters) continue
      yield batch
      batch = []
      characters = 0
    }
  } catch (cause) {
    if (cause instanceof AppError || !(cause as { code?: string }).code?.startsWith('CSV_')) throw cause
    throw new AppError(400, `Not a valid CSV file: ${(cause as Error).message}`, { cause })
  }
  if (!names) columnsOf([])
  if (batch.length > 0) yield batch
  return hash.digest('hex')
}

import { join } from 'node:path'
import { fileEngine } from '#platform/blobs/files.ts'
import { openDatabase } from '#platform/db/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import { inlineBytes } from '#storage/blobs/receive.ts'
import { compare, type Result } from '../measure.ts'
import type { Trivet } from '../system.ts'

const KiB = 1024
const sizes = [1, 4, 8, 16, 64]
const atOnce = 16

const perSecond = async (seconds: number, work: (n: number) => Promise<unknown>) => {
  const end = performance.now() + seconds * 1000
  let done = 0
  const loop = async () => {
    while (performance.now() < end) await work(done++)
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return done / seconds
}

/**
 * Where the line between rows and files should be: the same bytes kept in a row, and in a file with a row that
 * knows it; kept durably, and read. Up to the line rows should be as quick to keep, and a third as
 * quick to read, since what is read often comes from memory anyway.
 */
export const inlineWorkloads = async function* ({ dataDir, database }: Trivet): AsyncGenerator<Result> {
  const db = await openDatabase(database)
  const { sql } = db
  const files = fileEngine(join(dataDir, 'inline'))
  await sql`create table bench_rows (id uuid primary key, data bytea)`
  await sql`alter table bench_rows alter column data set storage external`
  const addRow = async (id: string, data: Buffer | null) => {
    await sql`insert into bench_rows (id, data) values (${id}, ${data})`
    return id
  }
  try {
    for (const size of sizes) {
      const bytes = Buffer.alloc(size * KiB, 'i')
      const inRow = () => addRow(uuidv7(), bytes)
      const inFile = async () => {
        const id = uuidv7()
        await files.write(
          id,
          (async function* () {
            yield bytes
          })(),
        )
        return addRow(id, null)
      }
      const where = size * KiB <= inlineBytes ? 'row' : 'row, beyond the line'
      const limit = 'the same in a file'
      yield await compare(
        {
          limit,
          name: `keep ${size} KiB in a ${where}`,
          subject: (seconds) => perSecond(seconds, inRow),
          against: (seconds) => perSecond(seconds, inFile),
        },
        3,
      )
      const rows = await Promise.all(Array.from({ length: 100 }, inRow))
      const paths = await Promise.all(Array.from({ length: 100 }, inFile))
      yield await compare(
        {
          limit,
          name: `read ${size} KiB from a ${where}`,
          subject: (seconds) =>
            perSecond(seconds, (n) => sql`select data from bench_rows where id = ${rows[n % 100] as string}`),
          against: (seconds) =>
            perSecond(seconds, (n) => files.readWhole(paths[n % 100] as string, bytes.length)),
        },
        3,
      )
    }
  } finally {
    await db.close()
  }
}

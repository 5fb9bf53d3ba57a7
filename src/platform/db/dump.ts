import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import type { Manifest } from '#platform/backup/manifest.ts'
import type { Progress } from '#platform/backup/progress.ts'
import { writeSummed } from '#platform/backup/sums.ts'
import { syncFolder } from '#platform/durable.ts'
import { OperatorError } from '#platform/errors.ts'
import type { BulkTx, Database } from './database.ts'
import { appliedMigrations, type MigrationSet } from './migrations.ts'
import { listSequences, listTables, schemasOf, type Table, tableFile } from './tables.ts'

type Dump = Pick<Manifest, 'migrations' | 'tables' | 'sequences'>

/** The format must not depend on the configuration of a server or role, nor the order of rows on concurrent readers. */
const portableFormat = `
  set local datestyle to 'ISO, YMD'; set local intervalstyle to 'postgres'; set local bytea_output to 'hex';
  set local extra_float_digits to 1; set local synchronize_seqscans to off`

const dumpTable = async (tx: BulkTx, { name, columns }: Table, folder: string, progress: Progress) => {
  const rows = tx.copyTo(`copy ${name} (${columns.join(', ')}) to stdout`)
  const counted = async function* () {
    for await (const chunk of rows) {
      progress.count('bytes', chunk.length)
      yield chunk as Buffer
    }
  }
  const file = await writeSummed(join(folder, tableFile(name)), counted(), createGzip())
  progress.count('rows', rows.rowCount)
  return { name, columns, rows: rows.rowCount, file }
}

/**
 * Writes a consistent snapshot of the database into the `tables` of a folder while the system runs. `also` may read more
 * from the same snapshot; it should not take long, because the snapshot holds back vacuum.
 */
export const dumpDatabase = async (
  db: Database,
  sets: MigrationSet[],
  folder: string,
  progress: Progress,
  also: (tx: BulkTx) => Promise<void>,
): Promise<Dump> => {
  const dump = await db.bulk('isolation level repeatable read read only', async (tx) => {
    await tx.unsafe(portableFormat)
    const schemas = schemasOf(sets)
    const migrations = await appliedMigrations(tx, sets)
    if (migrations.length === 0)
      throw new OperatorError('The database is empty: there is nothing to back up.')
    const found = await listTables(tx, schemas)
    const tables: Manifest['tables'] = []
    for (const table of found) {
      progress.step(`table ${tables.length + 1} of ${found.length} (${table.name})`)
      tables.push(await dumpTable(tx, table, folder, progress))
    }
    await also(tx)
    const sequences = (await listSequences(tx, schemas)).flatMap(({ name, value }) =>
      value === null ? [] : [{ name, value }],
    )
    return { migrations, tables, sequences }
  })
  await syncFolder(join(folder, 'tables'))
  return dump
}

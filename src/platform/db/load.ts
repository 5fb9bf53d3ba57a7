import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Logger } from 'pino'
import { damagedBackup, type Manifest } from '#platform/backup/manifest.ts'
import type { Progress } from '#platform/backup/progress.ts'
import { checkFile } from '#platform/backup/sums.ts'
import { OperatorError } from '#platform/errors.ts'
import type { BulkTx, Database, Sql } from './database.ts'
import { isStatementRefused } from './failures.ts'
import { createTablesOf, lockMigrations, type MigrationSet, migrate } from './migrations.ts'
import { listSequences, listTables, schemasOf, type Table, tableFile } from './tables.ts'

/** Checks the files of all tables of a backup against their checksums. */
export const checkTables = async (folder: string, { tables }: Manifest, progress: Progress) => {
  const known = new Set(tables.map(({ name }) => tableFile(name)))
  const found = await readdir(join(folder, 'tables')).catch(() => [])
  const foreign = found.find((name) => !known.has(`tables/${name}`))
  if (foreign) throw damagedBackup(folder, `tables/${foreign} does not belong to it`)
  for (const [index, { name, file }] of tables.entries()) {
    progress.step(`checking table ${index + 1} of ${tables.length}`)
    await checkFile(folder, tableFile(name), file, (bytes) => progress.count('bytes', bytes))
  }
}

/** A system that was only started contains the fingerprint of its secret and nothing else. */
const isData = ({ name }: Table) => name !== 'platform.installation'

const hasRows = async (q: Sql, { name }: Table) =>
  (await q.unsafe(`select 1 from ${name} limit 1`)).length > 0

export const refuseIfUsed = async (q: Sql, sets: MigrationSet[]) => {
  for (const table of (await listTables(q, schemasOf(sets))).filter(isData))
    if (await hasRows(q, table))
      throw new OperatorError(`The database already holds data (${table.name}): restore into an empty one.`)
}

/** Loads checked tables into an empty database, all or nothing. */
export const loadDatabase = async (
  db: Database,
  sets: MigrationSet[],
  folder: string,
  manifest: Manifest,
  progress: Progress,
) => {
  try {
    await db.bulk('', (tx) => load(tx, sets, folder, manifest, progress))
  } catch (error) {
    if (!isStatementRefused(error)) throw error
    throw new OperatorError(`The database refused the backup: ${(error as Error).message}`, { cause: error })
  }
}

/** Migrates the data of an older version, as for an older database, and collects statistics for the planner. */
export const bringUpToDate = async (db: Database, sets: MigrationSet[], log: Logger) => {
  await migrate(db, sets, log)
  await db.bulk('', async (tx) => {
    // The planner expects a table to grow until an analysis tells it that it is empty.
    for (const table of await listTables(tx, schemasOf(sets)))
      if (await hasRows(tx, table)) await tx.unsafe(`analyze ${table.name}`)
  })
}

const load = async (
  tx: BulkTx,
  sets: MigrationSet[],
  folder: string,
  manifest: Manifest,
  progress: Progress,
) => {
  const schemas = schemasOf(sets)
  await lockMigrations(tx)
  for (const { name } of await listTables(tx, schemas)) await tx.unsafe(`lock table ${name}`)
  await refuseIfUsed(tx, sets)
  for (const schema of schemas) await tx`drop schema if exists ${tx(schema)} cascade`
  await createTablesOf(tx, sets, manifest.migrations)
  await refuseIfForeign(tx, schemas, folder, manifest)
  const addForeignKeys = await dropForeignKeys(tx, schemas)
  for (const [index, table] of manifest.tables.entries()) {
    progress.step(`table ${index + 1} of ${manifest.tables.length} (${table.name})`)
    const rows = await loadTable(tx, folder, table, progress)
    if (rows !== table.rows)
      throw damagedBackup(folder, `${tableFile(table.name)} has ${rows} rows instead of ${table.rows}`)
  }
  progress.step('checking references')
  for (const { name, value } of manifest.sequences)
    await tx`select setval(${name}::regclass, ${value}::bigint)`
  await addForeignKeys()
  await holdWebhooks(tx)
}

/** What was delivered after the backup would be delivered again: whoever manages a webhook decides when it goes on. */
const holdWebhooks = (tx: Sql) => tx`
  update platform.webhooks set is_active = false, held_by = null, held_until = null,
    switched_off = 'The data was restored from a backup'
  where is_active`

/** The tables must be those of the migrations, because their names and columns become parts of statements. */
const refuseIfForeign = async (tx: Sql, schemas: string[], folder: string, manifest: Manifest) => {
  const shape = (tables: readonly Table[]) =>
    tables.map(({ name, columns }) => `${name}(${columns.join()})`).sort()
  const [ours, theirs] = [shape(await listTables(tx, schemas)), shape(manifest.tables)]
  const odd = ours.find((table) => !theirs.includes(table)) ?? theirs.find((table) => !ours.includes(table))
  if (odd || ours.length !== theirs.length)
    throw damagedBackup(
      folder,
      `its tables are not those of its migrations (${odd ?? 'one is listed twice'})`,
    )
  const sequences = (await listSequences(tx, schemas)).map(({ name }) => name)
  const unknown = manifest.sequences.find(({ name }) => !sequences.includes(name))
  if (unknown) throw damagedBackup(folder, `it has a sequence that is not ours (${unknown.name})`)
}

const loadTable = async (tx: BulkTx, folder: string, { name, columns }: Table, progress: Progress) => {
  const into = tx.copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`)
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      progress.count('bytes', chunk.length)
      yield chunk
    }
  }
  await pipeline(createReadStream(join(folder, tableFile(name))), createGunzip(), counted, into)
  progress.count('rows', into.rowCount)
  return into.rowCount
}

type ForeignKey = { owner: string; name: string; definition: string }

/** Tables are loaded one by one, so foreign keys are dropped first. The returned function adds and checks them again. */
const dropForeignKeys = async (tx: Sql, schemas: string[]) => {
  const keys = await tx<ForeignKey[]>`
    select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where c.contype = 'f' and n.nspname = any(${schemas}::text[])`
  for (const { owner, name } of keys) await tx.unsafe(`alter table ${owner} drop constraint ${name}`)
  return async () => {
    for (const { owner, name, definition } of keys)
      await tx.unsafe(`alter table ${owner} add constraint ${name} ${definition}`)
  }
}

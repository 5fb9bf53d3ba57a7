import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { OperatorError } from '#platform/errors.ts'
import type { Database, Sql } from './database.ts'

/** The forward-only SQL files of one schema: `NNNN_name.sql`, each run once, never edited afterwards. */
export type MigrationSet = { schema: string; folder: URL }

type Migration = { schema: string; version: number; name: string; checksum: string; text: string }

export const platformMigrations: MigrationSet = {
  schema: 'platform',
  folder: new URL('./migrations/', import.meta.url),
}

const readSet = async ({ schema, folder }: MigrationSet): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
      if (version !== index + 1) throw new Error(`${schema}: migration ${name} should be number ${index + 1}`)
      const text = await readFile(new URL(name, folder), 'utf8')
      return { schema, version, name, checksum: createHash('sha256').update(text).digest('hex'), text }
    }),
  )
}

const lock = 7_482_001

const prepare = (q: Sql) =>
  q`
  create schema if not exists platform`.then(
    () => q`
  create table if not exists platform.migrations (
    schema text not null, version int not null, name text not null, checksum text not null,
    applied_at timestamptz(3) not null default now(), primary key (schema, version))`,
  )

type Applied = { schema: string; version: number; checksum: string }

const readApplied = async (q: Sql): Promise<Applied[]> => {
  const [there] = await q<
    { there: boolean }[]
  >`select to_regclass('platform.migrations') is not null as there`
  if (!there?.there) return []
  return q<Applied[]>`select schema, version, checksum from platform.migrations order by schema, version`
}

/** Refuses a database, or a backup of one, that this code does not understand. */
const refuseUnknown = (what: string, all: Migration[], applied: readonly Applied[], schemas: string[]) => {
  const known = new Map(all.map((m) => [`${m.schema}/${m.version}`, m]))
  for (const row of applied) {
    const migration = known.get(`${row.schema}/${row.version}`)
    if (!migration && schemas.includes(row.schema))
      throw new MigrationError(
        `The ${what} holds ${row.schema} version ${row.version}, which this Trivet does not know: it was written by a newer one.`,
      )
    if (migration && migration.checksum !== row.checksum)
      throw new MigrationError(
        what === 'database'
          ? `Migration ${row.schema}/${migration.name} was changed after it had been applied.`
          : `The ${what} was made with another migration ${row.schema}/${migration.name}: it belongs to another Trivet.`,
      )
  }
}

/** What is still to be run. */
const pending = (all: Migration[], applied: Applied[], schemas: string[]) => {
  refuseUnknown('database', all, applied, schemas)
  const done = new Set(applied.map((row) => `${row.schema}/${row.version}`))
  return all.filter((m) => !done.has(`${m.schema}/${m.version}`))
}

class MigrationError extends OperatorError {}

const readSets = async (sets: MigrationSet[]) => ({
  all: (await Promise.all([platformMigrations, ...sets].map(readSet))).flat(),
  schemas: ['platform', ...sets.map(({ schema }) => schema)],
})

/** What has been run on a database that this code understands. */
export const appliedMigrations = async (q: Sql, sets: MigrationSet[]): Promise<Applied[]> => {
  const { all, schemas } = await readSets(sets)
  const applied = (await readApplied(q)).filter(({ schema }) => schemas.includes(schema))
  refuseUnknown('database', all, applied, schemas)
  return applied
}

/** Refuses a backup that was not made by this Trivet or an older one. */
export const refuseForeignBackup = async (sets: MigrationSet[], applied: readonly Applied[]) => {
  const { all, schemas } = await readSets(sets)
  const foreign = applied.find(({ schema }) => !schemas.includes(schema))
  if (foreign)
    throw new MigrationError(`The backup holds ${foreign.schema}, which this Trivet does not know.`)
  refuseUnknown('backup', all, applied, schemas)
}

/** Several nodes may migrate at once; one does. */
export const lockMigrations = (tx: Sql) => tx`select pg_advisory_xact_lock(${lock})`

/** Runs what is still to be run and wanted, as part of a transaction. */
export const runMigrations = async (
  tx: Sql,
  sets: MigrationSet[],
  wanted: (migration: { schema: string; version: number }) => boolean = () => true,
): Promise<Migration[]> => {
  const { all, schemas } = await readSets(sets)
  await lockMigrations(tx)
  await prepare(tx)
  const todo = pending(all, await readApplied(tx), schemas).filter(wanted)
  for (const { schema, version, name, checksum, text } of todo) {
    await tx`create schema if not exists ${tx(schema)}`
    await tx.unsafe(text)
    await tx`insert into platform.migrations (schema, version, name, checksum)
             values (${schema}, ${version}, ${name}, ${checksum})`
  }
  return todo
}

/** Brings every schema up to date; several nodes may do this at once. Answers how many files were run. */
export const migrate = async (db: Database, sets: MigrationSet[], log: Logger): Promise<number> => {
  const { all, schemas } = await readSets(sets)
  if (pending(all, await readApplied(db.sql), schemas).length === 0) return 0
  const done = await db.transaction(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true)`
    return runMigrations(tx, sets)
  })
  for (const { schema, name } of done) log.info({ schema, migration: name }, 'migrated')
  return done.length
}

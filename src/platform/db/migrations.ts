import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
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
  return there?.there ? q<Applied[]>`select schema, version, checksum from platform.migrations` : []
}

/** What is still to be run. Refuses a database that this code does not understand. */
const pending = (all: Migration[], applied: Applied[], schemas: string[]) => {
  const known = new Map(all.map((m) => [`${m.schema}/${m.version}`, m]))
  for (const row of applied) {
    const migration = known.get(`${row.schema}/${row.version}`)
    if (!migration && schemas.includes(row.schema))
      throw new MigrationError(
        `The database holds ${row.schema} version ${row.version}, which this Trivet does not know: it was written by a newer one.`,
      )
    if (migration && migration.checksum !== row.checksum)
      throw new MigrationError(
        `Migration ${row.schema}/${migration.name} was changed after it had been applied.`,
      )
  }
  const done = new Set(applied.map((row) => `${row.schema}/${row.version}`))
  return all.filter((m) => !done.has(`${m.schema}/${m.version}`))
}

export class MigrationError extends Error {
  readonly expected = true
}

/**
 * Brings every schema up to date, or up to an earlier version that a backup was made with; several nodes may do
 * this at once. Answers how many files were run.
 */
export const migrate = async (
  db: Database,
  sets: MigrationSet[],
  log: Logger,
  upTo: (schema: string) => number = () => Number.POSITIVE_INFINITY,
): Promise<number> => {
  const found = (await Promise.all([platformMigrations, ...sets].map(readSet))).flat()
  const all = found.filter(({ schema, version }) => version <= upTo(schema))
  const schemas = ['platform', ...sets.map((set) => set.schema)]
  if (pending(all, await readApplied(db.sql), schemas).length === 0) return 0
  return db.transaction(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true)`
    await tx`select pg_advisory_xact_lock(${lock})`
    await prepare(tx)
    const todo = pending(all, await readApplied(tx), schemas)
    for (const { schema, version, name, checksum, text } of todo) {
      await tx`create schema if not exists ${tx(schema)}`
      await tx.unsafe(text)
      await tx`insert into platform.migrations (schema, version, name, checksum)
               values (${schema}, ${version}, ${name}, ${checksum})`
      log.info({ schema, migration: name }, 'migrated')
    }
    return todo.length
  })
}

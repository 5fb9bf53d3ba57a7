import { createHash } from 'node:crypto'
import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { OperatorError } from '#platform/errors.ts'
import { type Report, unreported } from '#platform/progress.ts'
import type { Database, Sql } from './database.ts'
import { planByIndex } from './planner.ts'

/**
 * The SQL of one schema, in the folder of its service:
 *
 * - `schema/NNNN_name.sql`: tables, indexes and constraints, each file run once and never edited after a release;
 * - `functions.sql` of any module: its functions and triggers as `create or replace`, run again whenever one changes.
 */
export type MigrationSet = {
  schema: string
  folder: URL
  /** Where its `functions.sql` files are, if not in the same folder. */
  functionFolders?: URL[]
}

type Migration = { schema: string; version: number; name: string; checksum: string; text: string }
type Functions = { schema: string; checksum: string; text: string }
type Source = { schema: string; migrations: Migration[]; functions: Functions }

export const platformMigrations: MigrationSet = {
  schema: 'platform',
  folder: new URL('./', import.meta.url),
  functionFolders: [new URL('../', import.meta.url), new URL('../../events/', import.meta.url)],
}

const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex')

const readMigrations = async (schema: string, folder: string): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
      if (version !== index + 1) throw new Error(`${schema}: migration ${name} should be number ${index + 1}`)
      const text = await readFile(join(folder, name), 'utf8')
      return { schema, version, name, checksum: checksumOf(text), text }
    }),
  )
}

const readFunctions = async (schema: string, folders: URL[]): Promise<Functions> => {
  const inEach = folders.map(async (folder) => {
    const cwd = fileURLToPath(folder)
    return (await Array.fromAsync(glob('**/functions.sql', { cwd }))).sort().map((name) => join(cwd, name))
  })
  const paths = (await Promise.all(inEach)).flat()
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  const text = texts.join('\n')
  return { schema, checksum: checksumOf(text), text }
}

const readSource = async ({ schema, folder, functionFolders = [folder] }: MigrationSet): Promise<Source> => {
  const [migrations, functions] = await Promise.all([
    readMigrations(schema, join(fileURLToPath(folder), 'schema')),
    readFunctions(schema, functionFolders),
  ])
  return { schema, migrations, functions }
}

const readSources = (sets: MigrationSet[]) => Promise.all([platformMigrations, ...sets].map(readSource))

const lock = 7_482_001

const prepare = async (q: Sql) => {
  await q`create schema if not exists platform`
  await q`
    create table if not exists platform.migrations (
      schema text not null, version int not null, name text not null, checksum text not null,
      applied_at timestamptz(3) not null default now(), primary key (schema, version))`
  await q`
    create table if not exists platform.functions (
      schema text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`
}

type Applied = { schema: string; version: number; checksum: string }

const tableExists = async (q: Sql, table: string) =>
  (await q<{ exists: boolean }[]>`select to_regclass(${table}) is not null as exists`)[0]?.exists === true

const readApplied = async (q: Sql): Promise<Applied[]> =>
  (await tableExists(q, 'platform.migrations'))
    ? q<Applied[]>`select schema, version, checksum from platform.migrations order by schema, version`
    : []

const readAppliedFunctions = async (q: Sql) => {
  const rows = (await tableExists(q, 'platform.functions'))
    ? await q<{ schema: string; checksum: string }[]>`select schema, checksum from platform.functions`
    : []
  return new Map(rows.map(({ schema, checksum }) => [schema, checksum]))
}

class MigrationError extends OperatorError {}

const emptyOne = { database: 'data folder (TRIVET_DATA) or database (DATABASE_URL)', backup: 'system' }

/** Refuses a database, or a backup of one, that this code does not understand. */
const refuseUnknown = (what: 'database' | 'backup', sources: Source[], applied: readonly Applied[]) => {
  const migrations = sources.flatMap((source) => source.migrations)
  for (const { schema, version, checksum } of applied) {
    const known = migrations.find((migration) => migration.schema === schema && migration.version === version)
    if (known?.checksum === checksum) continue
    if (!known && !sources.some((source) => source.schema === schema)) continue
    // A schema with a version that we lack also has version 1, which tells a newer Trivet from a different layout.
    const first = applied.find((row) => row.schema === schema && row.version === 1)
    const ours = migrations.find((migration) => migration.schema === schema && migration.version === 1)
    throw new MigrationError(
      first?.checksum === ours?.checksum && !known
        ? `The ${what} holds ${schema} version ${version}, which this Trivet does not know: it was written by a newer one.`
        : `The ${what} has another layout of ${schema} than this Trivet (${known?.name ?? `version ${version}`}): it was written before the first release, or by a changed Trivet. Use the Trivet that wrote it, or start with an empty ${emptyOne[what]}.`,
    )
  }
}

type Todo = { migrations: Migration[]; functions: Functions[] }

/** What has not been applied yet. */
const pending = async (q: Sql, sources: Source[]): Promise<Todo> => {
  const applied = await readApplied(q)
  refuseUnknown('database', sources, applied)
  const done = new Set(applied.map(({ schema, version }) => `${schema}/${version}`))
  const functions = await readAppliedFunctions(q)
  return {
    migrations: sources
      .flatMap((source) => source.migrations)
      .filter(({ schema, version }) => !done.has(`${schema}/${version}`)),
    functions: sources
      .map((source) => source.functions)
      .filter(({ schema, checksum }) => functions.get(schema) !== checksum),
  }
}

/** The migrations that have been applied. Refuses a database that this code does not understand. */
export const appliedMigrations = async (q: Sql, sets: MigrationSet[]): Promise<Applied[]> => {
  const sources = await readSources(sets)
  const applied = (await readApplied(q)).filter((row) => sources.some(({ schema }) => schema === row.schema))
  refuseUnknown('database', sources, applied)
  return applied
}

/** Refuses a backup that was not made by this Trivet or an older one. */
export const refuseForeignBackup = async (sets: MigrationSet[], applied: readonly Applied[]) => {
  const sources = await readSources(sets)
  const foreign = applied.find((row) => !sources.some(({ schema }) => schema === row.schema))
  if (foreign)
    throw new MigrationError(`The backup holds ${foreign.schema}, which this Trivet does not know.`)
  refuseUnknown('backup', sources, applied)
}

/** Of several nodes that migrate at the same time, one does and the others wait. */
export const lockMigrations = (tx: Sql) => tx`select pg_advisory_xact_lock(${lock})`

const applyMigration = async (tx: Sql, { schema, version, name, checksum, text }: Migration) => {
  await tx`create schema if not exists ${tx(schema)}`
  await tx.unsafe(text)
  await tx`
    insert into platform.migrations (schema, version, name, checksum)
    values (${schema}, ${version}, ${name}, ${checksum})`
}

const applyFunctions = async (tx: Sql, { schema, checksum, text }: Functions) => {
  // A function may call one that is created later, so bodies are checked in a second pass, when all of them exist.
  for (const check of ['off', 'on']) {
    await tx`select set_config('check_function_bodies', ${check}, true)`
    await tx.unsafe(text)
  }
  await planByIndex(tx, schema)
  await tx`
    insert into platform.functions (schema, checksum) values (${schema}, ${checksum})
    on conflict (schema) do update set checksum = excluded.checksum, applied_at = now()`
}

/**
 * Creates the tables of a backup in the version that wrote it, without functions and triggers, because rows are loaded as
 * they were backed up. `migrate` applies the rest afterwards.
 */
export const createTablesOf = async (tx: Sql, sets: MigrationSet[], versions: readonly Applied[]) => {
  const sources = await readSources(sets)
  await lockMigrations(tx)
  await prepare(tx)
  for (const migration of (await pending(tx, sources)).migrations)
    if (versions.some(({ schema, version }) => schema === migration.schema && version === migration.version))
      await applyMigration(tx, migration)
}

/**
 * Applies what is missing to every schema. Several nodes may call it at the same time. Returns how many files and function
 * sets were applied.
 */
export const migrate = async (
  db: Database,
  sets: MigrationSet[],
  log: Logger,
  report: Report = unreported,
): Promise<number> => {
  const sources = await readSources(sets)
  const isDone = ({ migrations, functions }: Todo) => migrations.length + functions.length === 0
  if (isDone(await pending(db.sql, sources))) return 0
  const done = await db.transaction(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true)`
    await lockMigrations(tx)
    await prepare(tx)
    const todo = await pending(tx, sources)
    for (const [n, migration] of todo.migrations.entries()) {
      report(`creating tables, ${n + 1} of ${todo.migrations.length}`)
      await applyMigration(tx, migration)
    }
    for (const functions of todo.functions) await applyFunctions(tx, functions)
    return todo
  })
  for (const { schema, name } of done.migrations) log.debug({ schema, migration: name }, 'migrated')
  for (const { schema } of done.functions) log.debug({ schema }, 'functions updated')
  const [migrations, functions] = [done.migrations.length, done.functions.length]
  if (migrations + functions > 0) log.info({ migrations, functions }, 'database brought up to date')
  return done.migrations.length + done.functions.length
}

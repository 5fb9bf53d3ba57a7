import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { from, to } from 'pg-copy-streams'
import type { Logger } from 'pino'
import type { Database, Sql } from './database.ts'
import { MigrationError, type MigrationSet, migrate } from './migrations.ts'

/** A copy of the database that any PostgreSQL can take in: rows as COPY text, and which migrations made them. */
type Manifest = {
  format: 1
  createdAt: string
  migrations: readonly { schema: string; version: number }[]
  tables: readonly { name: string; columns: string[]; rows: number }[]
  sequences: readonly { name: string; value: number }[]
}

const manifestFile = (folder: string) => join(folder, 'manifest.json')
const tableFile = (folder: string, name: string) => join(folder, 'tables', `${name}.copy.gz`)

const listTables = (tx: Sql, schemas: string[]) => tx<{ name: string; columns: string[] }[]>`
  select format('%I.%I', n.nspname, c.relname) as name,
    array_agg(quote_ident(a.attname) order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where n.nspname = any(${schemas}) and c.relkind = 'r'
    and not (n.nspname = 'platform' and c.relname in ('migrations', 'signals'))
  group by 1 order by 1`

const listSequences = (tx: Sql, schemas: string[]) => tx<{ name: string; value: number }[]>`
  select format('%I.%I', schemaname, sequencename) as name, last_value as value
  from pg_sequences where schemaname = any(${schemas}) and last_value is not null order by 1`

const schemasOf = (sets: MigrationSet[]) => ['platform', ...sets.map(({ schema }) => schema)]

/** Writes one consistent moment of the database into an empty folder while the system goes on. */
export const dumpDatabase = async (
  db: Database,
  sets: MigrationSet[],
  folder: string,
  now: Date,
): Promise<Manifest> => {
  await mkdir(join(folder, 'tables'), { recursive: true })
  const manifest = await db.bulk('isolation level repeatable read read only', async (tx) => {
    const schemas = schemasOf(sets)
    const tables = []
    for (const { name, columns } of await listTables(tx, schemas)) {
      const rows = tx.copy(to(`copy ${name} (${columns.join(', ')}) to stdout`))
      await pipeline(rows, createGzip(), createWriteStream(tableFile(folder, name), { mode: 0o600 }))
      const [count] = await tx.unsafe<{ rows: number }[]>(`select count(*) as rows from ${name}`)
      tables.push({ name, columns, rows: count?.rows ?? 0 })
    }
    const migrations = await tx<{ schema: string; version: number }[]>`
      select schema, version from platform.migrations where schema = any(${schemas}) order by schema, version`
    const sequences = await listSequences(tx, schemas)
    return {
      format: 1,
      createdAt: now.toISOString(),
      migrations: [...migrations],
      tables,
      sequences: [...sequences],
    } as const
  })
  // Last of all: a folder without it is not a backup.
  await writeFile(manifestFile(folder), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  return manifest
}

const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => {
    throw new MigrationError(`${folder} is not a finished backup: it has no manifest.json.`)
  })
  return JSON.parse(text)
}

const refuseIfUsed = async (tx: Sql, schemas: string[]) => {
  for (const { name } of await listTables(tx, schemas)) {
    const [row] = await tx.unsafe<{ used: boolean }[]>(`select exists (select 1 from ${name}) as used`)
    if (row?.used)
      throw new MigrationError(`The database already holds data (${name}): restore into an empty one.`)
  }
}

/** Takes a backup into an empty database, all of it or nothing, and brings it up to date if it is older. */
export const loadDatabase = async (
  db: Database,
  sets: MigrationSet[],
  folder: string,
  log: Logger,
): Promise<Manifest> => {
  const manifest = await readManifest(folder)
  const schemas = schemasOf(sets)
  await db.transaction(async (tx) => {
    await refuseIfUsed(tx, schemas)
    for (const schema of schemas) await tx`drop schema if exists ${tx(schema)} cascade`
  })
  const versionOf = (schema: string) =>
    Math.max(0, ...manifest.migrations.filter((m) => m.schema === schema).map(({ version }) => version))
  await migrate(db, sets, log, versionOf)
  await db.bulk('', async (tx) => {
    const restoreConstraints = await setAsideConstraints(tx, schemas)
    for (const { name, columns } of manifest.tables) {
      const into = tx.copy(from(`copy ${name} (${columns.join(', ')}) from stdin`))
      await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), into)
    }
    for (const { name, value } of manifest.sequences) await tx`select setval(${name}::regclass, ${value})`
    await restoreConstraints()
  })
  await migrate(db, sets, log)
  await db.sql`analyze`
  return manifest
}

type Aside = { owner: string; name: string; definition: string }

/** Rows come table by table, so what ties them together is taken off first and checked again at the end. */
const setAsideConstraints = async (tx: Sql, schemas: string[]) => {
  const keys = await tx<Aside[]>`
    select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where c.contype = 'f' and n.nspname = any(${schemas})`
  const triggered = await tx<{ owner: string }[]>`
    select distinct tgrelid::regclass::text as owner from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace
    where not tgisinternal and n.nspname = any(${schemas})`
  for (const { owner, name } of keys) await tx.unsafe(`alter table ${owner} drop constraint ${name}`)
  for (const { owner } of triggered) await tx.unsafe(`alter table ${owner} disable trigger user`)
  return async () => {
    for (const { owner } of triggered) await tx.unsafe(`alter table ${owner} enable trigger user`)
    for (const { owner, name, definition } of keys)
      await tx.unsafe(`alter table ${owner} add constraint ${name} ${definition}`)
  }
}

import type { Sql } from './database.ts'
import { type MigrationSet, platformMigrations } from './migrations.ts'

export type Table = { name: string; columns: string[] }

export const schemasOf = (sets: MigrationSet[]) => [platformMigrations, ...sets].map(({ schema }) => schema)

/** Tables that migrations fill, or that are useful for seconds only. They are neither backed up nor restored. */
const excluded = ['migrations', 'functions', 'signals', 'leases']

export const listTables = (q: Sql, schemas: string[]) => q<Table[]>`
  select format('%I.%I', n.nspname, c.relname) as name,
    array_agg(quote_ident(a.attname) order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where n.nspname = any(${schemas}::text[]) and c.relkind = 'r'
    and not (n.nspname = 'platform' and c.relname = any(${excluded}::text[]))
  group by 1 order by 1`

export const listSequences = (q: Sql, schemas: string[]) => q<{ name: string; value: number | null }[]>`
  select format('%I.%I', schemaname, sequencename) as name, last_value as value
  from pg_sequences where schemaname = any(${schemas}::text[]) order by 1`

export const tableFile = (name: string) => `tables/${name}.copy.gz`

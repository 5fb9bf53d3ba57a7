import assert from 'node:assert/strict'
import { cp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  aBlob,
  backedUpSystem,
  bytesHeld,
  flip,
  folder,
  forge,
  readManifest,
  secretIn,
  sha256,
  target,
  trivet,
} from '#test/support/backup.ts'
import { openSql } from '#test/support/sql.ts'

const source = await backedUpSystem()
const { good, saved } = source

test('the summary of a backup counts tables, rows and blobs', () => {
  assert.match(saved.stdout, /^Backed up \d+ tables, \d+ rows, 3 blobs \(1\.5 MiB\) to /)
  assert.equal(saved.stderr, '')
})

// Made anew by whoever starts, or of use for seconds.
const leftOut = ['platform.functions', 'platform.leases', 'platform.migrations', 'platform.signals']

test('a backup holds every table of the system but those that are made anew', async (t) => {
  const sql = await openSql(source.env.DATABASE_URL!)
  t.after(() => sql.end())
  const tables = await sql<{ name: string }[]>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('platform', 'storage', 'publishing', 'inventory')`
  const { tables: held } = await readManifest(good)
  assert.deepEqual(
    [...held.map(({ name }) => name), ...leftOut].sort(),
    tables.map(({ name }) => name).sort(),
  )
})

const tableOf = (name: string) => join('tables', `${name}.copy.gz`)
const damages: [what: string, says: RegExp, damage: (backup: string) => Promise<unknown>][] = [
  ['no manifest', /is not a finished backup/, (b) => rm(join(b, 'manifest.json'))],
  ['a truncated manifest', /manifest\.json is not JSON/, (b) => truncate(join(b, 'manifest.json'), 200)],
  ['an empty manifest', /manifest\.json is not JSON/, (b) => truncate(join(b, 'manifest.json'), 0)],
  ['a manifest of null', /manifest\.json is not JSON/, (b) => writeFile(join(b, 'manifest.json'), 'null')],
  ['another format', /has format 2, but this Trivet reads format 3/, (b) => forge(b, (m) => (m.format = 2))],
  ['no format', /has format unknown/, (b) => forge(b, (m) => delete m.format)],
  [
    'a manifest without tables',
    /is incomplete/,
    (b) => forge(b, (m) => delete (m as object as { tables?: 1 }).tables),
  ],
  [
    'a changed manifest',
    /manifest\.json has been changed/,
    async (b) => {
      const path = join(b, 'manifest.json')
      const text = await readFile(path, 'utf8')
      await writeFile(path, text.replace(/"value": (\d+)/, '"value": 1$1'))
    },
  ],
  [
    'a table file missing',
    /storage\.users\.copy\.gz is missing/,
    (b) => rm(join(b, tableOf('storage.users'))),
  ],
  ['the tables missing', /is missing/, (b) => rm(join(b, 'tables'), { recursive: true })],
  [
    'a truncated table',
    /has 20 bytes instead of \d+/,
    (b) => truncate(join(b, tableOf('storage.users')), 20),
  ],
  ['a changed table', /its checksum differs/, (b) => flip(join(b, tableOf('storage.users')))],
  [
    'an empty table file',
    /storage\.users\.copy\.gz has 20 bytes/,
    (b) => writeFile(join(b, tableOf('storage.users')), gzipSync('')),
  ],
  [
    'a table file too many',
    /storage\.more\.copy\.gz does not belong/,
    (b) => writeFile(join(b, tableOf('storage.more')), ''),
  ],
  [
    'fewer rows than the manifest says',
    /has \d+ rows instead of \d+/,
    (b) => forge(b, ({ tables }) => tables.find(({ name }) => name === 'storage.users')!.rows++),
  ],
  [
    'a row that the database refuses',
    /The database refused the backup: invalid input syntax|The database refused the backup: missing data/,
    async (b) => {
      const path = join(b, tableOf('storage.users'))
      const bytes = gzipSync(`${gunzipSync(await readFile(path)).toString()}nonsense\n`)
      await writeFile(path, bytes)
      await forge(b, ({ tables }) => {
        const table = tables.find(({ name }) => name === 'storage.users')!
        table.file = { bytes: bytes.length, sha256: sha256(bytes) }
      })
    },
  ],
  [
    'rows that refer to nothing',
    /The database refused the backup: .*violates foreign key/,
    async (b) => {
      const bytes = gzipSync('')
      await writeFile(join(b, tableOf('storage.organizations')), bytes)
      await forge(b, ({ tables }) => {
        const table = tables.find(({ name }) => name === 'storage.organizations')!
        Object.assign(table, { rows: 0, file: { bytes: bytes.length, sha256: sha256(bytes) } })
      })
    },
  ],
  [
    'a path for a table',
    /is incomplete/,
    (b) => forge(b, ({ tables }) => (tables[0]!.name = '../../etc/passwd')),
  ],
  [
    'a table that is not ours',
    /its tables are not those of its migrations/,
    async (b) => {
      await cp(join(b, tableOf('storage.users')), join(b, tableOf('pg_catalog.pg_authid')))
      await rm(join(b, tableOf('storage.users')))
      await forge(b, ({ tables }) => {
        tables.find(({ name }) => name === 'storage.users')!.name = 'pg_catalog.pg_authid'
      })
    },
  ],
  [
    'columns that are a statement',
    /its tables are not those of its migrations/,
    (b) => forge(b, ({ tables }) => (tables[0]!.columns = ['id) from stdin; drop schema public; --'])),
  ],
  [
    'a sequence that is not ours',
    /a sequence that is not ours \(public\.other\)/,
    (b) => forge(b, (m) => (m.sequences = [{ name: 'public.other', value: 7 }])),
  ],
  [
    'a newer version',
    /holds storage version 9999, .* written by a newer one/,
    (b) =>
      forge(b, (m) =>
        (m.migrations as object[]).push({ schema: 'storage', version: 9999, checksum: 'a'.repeat(64) }),
      ),
  ],
  [
    'another product',
    /holds warehouse, which this Trivet does not know/,
    (b) =>
      forge(b, (m) =>
        (m.migrations as object[]).push({ schema: 'warehouse', version: 1, checksum: 'a'.repeat(64) }),
      ),
  ],
  [
    'another history of the same version',
    /another layout of inventory/,
    (b) => forge(b, (m) => ((m.migrations as { checksum: string }[])[0]!.checksum = 'a'.repeat(64))),
  ],
  ['a missing secret', /its secret is missing/, (b) => rm(join(b, 'secret'))],
  ['a truncated secret', /its secret is not the one/, (b) => truncate(join(b, 'secret'), 10)],
  ['an empty secret', /its secret is not the one/, (b) => truncate(join(b, 'secret'), 0)],
  ['a blob missing', /blobs\/\S+ is missing/, async (b) => rm(await aBlob(b))],
  ['all blobs missing', /blobs\/\S+ is missing/, (b) => rm(join(b, 'blobs'), { recursive: true })],
  ['a truncated blob', /blobs\/\S+ has 100 bytes/, async (b) => truncate(await aBlob(b), 100)],
  ['a changed blob', /its checksum differs/, async (b) => flip(await aBlob(b))],
  [
    'a link for a blob',
    /is not a file/,
    async (b) => {
      const path = await aBlob(b)
      await rm(path)
      await symlink('/etc/hostname', path)
    },
  ],
  ['no list of blobs', /blobs\.jsonl is missing/, (b) => rm(join(b, 'blobs.jsonl'))],
  ['a changed list of blobs', /blobs\.jsonl is not what was backed up/, (b) => flip(join(b, 'blobs.jsonl'))],
  [
    'a path for a blob',
    /names something that is not a blob/,
    async (b) => {
      const list = JSON.stringify({ id: '../../../etc/passwd', bytes: 1, sha256: 'a'.repeat(64) })
      await writeFile(join(b, 'blobs.jsonl'), list)
      await forge(b, (m) => {
        m.blobs = {
          count: 1,
          bytes: 1,
          missing: 0,
          damaged: 0,
          list: { bytes: list.length, sha256: sha256(list) },
        }
      })
    },
  ],
  [
    'a list that names too few',
    /names 0 blobs instead of 3/,
    async (b) => {
      await writeFile(join(b, 'blobs.jsonl'), '')
      await forge(b, (m) => Object.assign(m.blobs as object, { list: { bytes: 0, sha256: sha256('') } }))
    },
  ],
]

test('restore refuses a damaged or foreign backup with one line, and the target can still restore a good one', async (t) => {
  const env = await target()
  const sql = await openSql(env.DATABASE_URL!)
  t.after(() => sql.end())
  const stateOf = async () => ({
    blobs: await bytesHeld(env),
    secrets: (await readdir(env.TRIVET_DATA!).catch(() => [])).filter((name) => name.startsWith('secret')),
    tables: [...(await sql`select oid::int, relname from pg_class where relkind = 'r' order by oid`)],
    users: [...(await sql`select id from storage.users`)],
  })
  const before = await stateOf()
  for (const [what, says, damage] of damages)
    await t.test(what, async () => {
      const bad = join(folder, 'bad')
      await cp(good, bad, { recursive: true })
      await damage(bad)
      const { code, stdout, stderr } = await trivet(['restore', '--from', bad], env)
      await rm(bad, { recursive: true })
      assert.equal(code, 1, stdout + stderr)
      assert.equal(stdout, '')
      assert.match(stderr, /^trivet: [^\n]+\n$/)
      assert.match(stderr, says)
      assert.deepEqual(await stateOf(), before)
    })
  const { code, stdout, stderr } = await trivet(['restore', '--from', good], env)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Restored \d+ tables, \d+ rows, 3 blobs \(1\.5 MiB\) as of \d{4}-.*Z\.\n$/)
  assert.equal((await bytesHeld(env)).length, 3)
  assert.equal(await secretIn(env), await secretIn(source.env))
})

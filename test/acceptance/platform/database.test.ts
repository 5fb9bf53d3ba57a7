import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openDatabase } from '#platform/db/database.ts'
import { duplicateOf, isDisconnect } from '#platform/db/failures.ts'
import { migrate } from '#platform/db/migrations.ts'
import { conflict } from '#platform/errors.ts'
import { createLogger } from '#platform/log.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { eventually } from '#test/support/eventually.ts'

const log = createLogger({ level: 'silent', pretty: false })
const database = await freshDatabase()
const db = await openDatabase(database.url)
after(async () => {
  await db.close()
  await database.drop()
})
await db.sql`create table public.things (id int primary key, n int not null default 0)`

test('database values are returned as the types that the code expects', async () => {
  const [row] = await db.sql`
    select 9007199254740991::int8 as big, 1.50::numeric as money, '2026-02-03'::date as day,
      '2026-02-03 04:05:06.789+02'::timestamptz as moment, '2026-02-03 04:05:06Z'::timestamptz as whole,
      array[1, 2]::int8[] as ids, array['a', 'b'] as words, '{"a": [1]}'::jsonb as data, null::int8 as nothing`
  assert.deepEqual(
    { ...row },
    {
      big: 9007199254740991,
      money: '1.50',
      day: '2026-02-03',
      moment: '2026-02-03T02:05:06.789Z',
      whole: '2026-02-03T04:05:06.000Z',
      ids: [1, 2],
      words: ['a', 'b'],
      data: { a: [1] },
      nothing: null,
    },
  )
})

test('arrays reach the database as they are', async () => {
  for (const numbers of [[], [0], [3, -1, 9007199254740991], [1.5, 1e21, 1e-7]]) {
    const [row] = await db.sql`select ${numbers}::double precision[] as numbers`
    assert.deepEqual(row?.numbers, numbers)
  }
  const [row] = await db.sql`
    select ${[1, 2]}::bigint[] as ids, ${[1, null]}::int[] as gaps, ${[true, false]}::boolean[] as flags,
      ${['a,b', '{"c"}', 'NULL', '', null]}::text[] as words`
  assert.deepEqual(
    { ...row },
    {
      ids: [1, 2],
      gaps: [1, null],
      flags: [true, false],
      words: ['a,b', '{"c"}', 'NULL', '', null],
    },
  )
})

test('reading a bigint beyond 2^53 is an error, not a rounded number', async () => {
  await assert.rejects(async () => db.sql`select 9007199254740993::int8`, RangeError)
})

test('a time that is written to the database is read back unchanged', async () => {
  const now = new Date()
  const [row] = await db.sql`select ${now}::timestamptz(3) as at`
  assert.equal(row?.at, now.toISOString())
})

test('db.write returns once the change is on disk, and concurrent writes share a flush', async () => {
  const write = (id: number) =>
    db.write(
      async (q) =>
        (
          await q<{ at: string }[]>`
            insert into public.things (id) values (${id}) returning pg_current_wal_insert_lsn()::text as at`
        )[0]!.at,
    )
  for (let round = 0; round < 20; round++) {
    const written = await Promise.all(Array.from({ length: 5 }, (_, n) => write(100 + round * 5 + n)))
    const [row] = await db.sql`
      select bool_and(pg_current_wal_flush_lsn() > at::pg_lsn) as safe from unnest(${written}::text[]) at`
    assert.equal(row?.safe, true)
  }
  await assert.rejects(write(100), (error) => duplicateOf(error) === 'things_pkey')
})

test('db.write fails if the server may have lost the change before it was on disk', async () => {
  await db.write((q) => q`insert into public.things (id) values (300)`)
  const losing = db.write(
    (q) => q`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and query like '%pg_logical_emit_message%' and pid <> pg_backend_pid()`,
  )
  await assert.rejects(losing, isDisconnect)
  // Others of its connections may have gone too, which shows only when they are used.
  await eventually(() =>
    db.write((q) => q`insert into public.things (id) values (301) on conflict do nothing`),
  )
})

test('db.write refuses a second statement, which would be a second commit', async () => {
  const two = db.write(async (q) => {
    await q`insert into public.things (id) values (401)`
    await q`insert into public.things (id) values (402)`
  })
  await assert.rejects(two, /A write is one statement/)
  const [row] = await db.sql`select from public.things where id = 402`
  assert.equal(row, undefined)
})

test('db.batchWrites combines concurrent writes into a few statements, and each gets its own result', async () => {
  await db.sql`create table public.batched (id int primary key, owner int not null, statement int not null)`
  let statements = 0
  let together = 0
  const write = db.batchWrites({
    exclusiveBy: ({ owner }: { id: number; owner: number }) => owner,
    async run(q, items) {
      const statement = ++statements
      together = Math.max(together, items.length)
      assert.equal(new Set(items.map(({ owner }) => owner)).size, items.length, 'of each owner one at most')
      const rows = await q<{ id: number }[]>`
        insert into public.batched
        select id, owner, ${statement} from unnest(${items.map(({ id }) => id)}::int[],
          ${items.map(({ owner }) => owner)}::int[]) item (id, owner) returning id`
      return rows.map(({ id }) => id)
    },
  })
  const items = Array.from({ length: 300 }, (_, id) => ({ id, owner: id % 150 }))
  assert.deepEqual(
    await Promise.all(items.map(write)),
    items.map(({ id }) => id),
  )
  assert.equal(together, 25)
  assert.ok(statements <= 20, `${statements} statements`)
  const [order] = await db.sql`
    select bool_and(later.statement > earlier.statement) as kept from public.batched earlier
      join public.batched later on later.owner = earlier.owner and later.id > earlier.id`
  assert.equal(order?.kept, true, 'what one owner writes is written in its order')

  const results = await Promise.allSettled([1000, 7, 1001].map((id) => write({ id, owner: id })))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
    'one that cannot be written does not harm the others',
  )
  await assert.rejects(
    db.unit(
      async () => {},
      async () => {
        await write({ id: 2000, owner: 1 })
        throw new Error('half way')
      },
      async () => {},
    ),
    /half way/,
  )
  const [undone] = await db.sql`select from public.batched where id = 2000`
  assert.equal(undone, undefined, 'in a unit of work it is part of that')
})

test('using the pool inside a transaction is an error', async () => {
  await assert.rejects(
    db.transaction(async () => db.sql`select 1`),
    /inside a transaction/,
  )
  await assert.rejects(
    db.transaction(async () => db.transaction(async () => 1)),
    /inside a transaction/,
  )
})

test('a transaction that loses a deadlock is retried', async () => {
  await db.sql`insert into public.things (id) values (1), (2)`
  let runs = 0
  const bothHoldOne = Promise.withResolvers<void>()
  const add = (first: number, second: number) =>
    db.transaction(async (tx) => {
      await tx`update public.things set n = n + 1 where id = ${first}`
      if (++runs === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await tx`update public.things set n = n + 1 where id = ${second}`
    })
  await Promise.all([add(1, 2), add(2, 1)])
  const rows = await db.sql`select n from public.things where id in (1, 2)`
  assert.deepEqual(
    rows.map(({ n }) => n),
    [2, 2],
  )
  assert.ok(runs >= 3, 'one of them was run again')
})

test('afterCommit actions run after the commit, and not after a rollback', async () => {
  const happened: string[] = []
  await db.transaction(async (tx) => {
    tx.afterCommit(() => happened.push('committed'))
    await tx`insert into public.things (id) values (3)`
    assert.deepEqual(happened, [])
  })
  assert.deepEqual(happened, ['committed'])
  await assert.rejects(
    db.transaction(async (tx) => {
      tx.afterCommit(() => happened.push('rolled back'))
      throw new Error('no')
    }),
    /no/,
  )
  assert.deepEqual(happened, ['committed'])
})

test('all writes of a unit of work are one transaction', async () => {
  const add = (id: number) => db.write((q) => q`insert into public.things (id) values (${id})`)
  const seen: string[] = []
  const open = async () => void seen.push('open')
  const seal = async () => void seen.push('seal')
  await db.unit(
    open,
    async () => {
      await add(10)
      await db.transaction((tx) => tx`insert into public.things (id) values (11)`)
      const rows = await db.sql`select id from public.things where id in (10, 11)`
      assert.equal(rows.length, 2, 'reads of the unit see its own writes')
    },
    seal,
  )
  assert.deepEqual(seen, ['open', 'seal'])
  await assert.rejects(
    db.unit(
      open,
      async () => {
        await add(12)
        throw new Error('half way')
      },
      seal,
    ),
    /half way/,
  )
  await assert.rejects(
    db.unit(
      open,
      async () => add(13),
      async () => Promise.reject(new Error('not sealed')),
    ),
    /not sealed/,
  )
  const rows = await db.sql`select id from public.things where id in (12, 13)`
  assert.equal(rows.length, 0)
})

test('a unit of work that is refused when it opens is refused as a whole', async () => {
  const add = (id: number) => db.write((q) => q`insert into public.things (id) values (${id})`)
  let opened = 0
  const open = async () => {
    if (opened++ === 0) conflict('not now')
  }
  await assert.rejects(
    db.unit(
      open,
      () => Promise.allSettled([add(14), add(15)]),
      async () => {},
    ),
    /not now/,
  )
  assert.equal(opened, 1)
  const rows = await db.sql`select id from public.things where id in (14, 15)`
  assert.equal(rows.length, 0)
})

test('a unique violation reports the name of the index', async () => {
  await db.sql`insert into public.things (id) values (20)`
  const error = await db.sql`insert into public.things (id) values (20)`.catch((e) => e)
  assert.equal(duplicateOf(error), 'things_pkey')
  assert.equal(duplicateOf(new Error('other')), null)
})

test('the server cancels a statement that runs too long', async () => {
  const [row] = await db.sql`show statement_timeout`
  assert.equal(row?.statement_timeout, '30s')
})

test('a statement of a command may take as long as it needs', async (t) => {
  const patient = await openDatabase(database.url, { patient: true })
  t.after(() => patient.close())
  const [row] = await patient.sql`show statement_timeout`
  assert.equal(row?.statement_timeout, '0')
})

test('migrations run once and in order, even when several nodes start at the same time', async (t) => {
  const fresh = await freshDatabase()
  const service = await mkdtemp(join(tmpdir(), 'trivet-migrations-'))
  const folder = join(service, 'schema')
  await mkdir(folder)
  const nodes = await Promise.all([1, 2, 3, 4].map(() => openDatabase(fresh.url)))
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await fresh.drop()
    await rm(service, { recursive: true })
  })
  const set = { schema: 'example', folder: pathToFileURL(`${service}/`) }
  await writeFile(
    join(folder, '0001_first.sql'),
    'create table example.one (id int); insert into example.one values (1);',
  )
  await writeFile(join(folder, '0002_second.sql'), 'insert into example.one values (2);')
  const counts = await Promise.all(nodes.map((node) => migrate(node, [set], log)))
  assert.deepEqual(counts.sort(), [0, 0, 0, 3], 'two files and the functions, none of which there are')
  const node = nodes[0]!
  assert.deepEqual(
    (await node.sql`select id from example.one order by id`).map(({ id }) => id),
    [1, 2],
  )
  assert.equal(await migrate(node, [set], log), 0)

  await writeFile(join(folder, '0003_broken.sql'), 'create table example.two (id int); select nonsense;')
  await assert.rejects(migrate(node, [set], log), /nonsense/)
  const [left] = await node.sql`select to_regclass('example.two') as there`
  assert.equal(left?.there, null, 'a failed migration leaves nothing')
  await rm(join(folder, '0003_broken.sql'))

  await writeFile(join(folder, '0002_second.sql'), 'insert into example.one values (3);')
  await assert.rejects(
    migrate(node, [set], log),
    /another layout of example than this Trivet \(0002_second.sql\)/,
  )
  await rm(join(folder, '0002_second.sql'))
  await assert.rejects(migrate(node, [set], log), /written by a newer one/)
})

test('functions.sql is applied again when its text changes, even when several nodes start at the same time', async (t) => {
  const fresh = await freshDatabase()
  const service = await mkdtemp(join(tmpdir(), 'trivet-functions-'))
  const nodes = await Promise.all([1, 2, 3].map(() => openDatabase(fresh.url)))
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await fresh.drop()
    await rm(service, { recursive: true })
  })
  for (const folder of ['schema', 'orders', 'stock']) await mkdir(join(service, folder))
  const set = { schema: 'example', folder: pathToFileURL(`${service}/`) }
  const migrateAll = () => Promise.all(nodes.map((node) => migrate(node, [set], log)))
  const total = async () => (await nodes[0]!.sql`select example.total() as total`)[0]?.total
  const define = (module: string, name: string, body: string) =>
    writeFile(
      join(service, module, 'functions.sql'),
      `create or replace function example.${name}() returns int language sql as $$ select ${body} $$;`,
    )
  await writeFile(join(service, 'schema', '0001_first.sql'), 'create table example.one (id int);')
  await define('orders', 'total', 'example.price() * 2')
  await define('stock', 'price', '21')
  assert.deepEqual((await migrateAll()).sort(), [0, 0, 2])
  assert.equal(await total(), 42, 'one may call another that comes later')
  assert.deepEqual(await migrateAll(), [0, 0, 0])

  await define('stock', 'price', '50')
  assert.deepEqual((await migrateAll()).sort(), [0, 0, 1])
  assert.equal(await total(), 100)

  await define('stock', 'price', 'nonsense +')
  await writeFile(join(service, 'schema', '0002_second.sql'), 'create table example.two (id int);')
  await assert.rejects(migrate(nodes[0]!, [set], log), /syntax error/)
  const [left] = await nodes[0]!.sql`select to_regclass('example.two') as there`
  assert.equal(left?.there, null, 'a migration whose functions are refused leaves nothing')
})

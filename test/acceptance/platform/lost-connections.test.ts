import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase, type Tx } from '#platform/db/database.ts'
import { isDisconnect } from '#platform/db/failures.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { eventually } from '#test/support/eventually.ts'
import { openSql } from '#test/support/sql.ts'

const database = await freshDatabase()
const db = await openDatabase(database.url)
const beside = await openSql(database.url)
after(async () => {
  await db.close()
  await beside.end()
  await database.drop()
})
await beside`create table public.notes (text text)`

const notes = async (like: string) =>
  (
    await beside<
      { text: string }[]
    >`select text from public.notes where text like ${`${like}%`} order by text`
  ).map(({ text }) => text)
const note = (q: Tx, text: string) => q`insert into public.notes values (${text})`
const backendOf = async (q: Tx) => (await q<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
const terminate = async (pid: number) => {
  await beside`select pg_terminate_backend(${pid}, 5000)`
}

test('a transaction whose connection is lost before its commit is retried and takes effect once', async () => {
  let runs = 0
  const result = await db.transaction(async (tx) => {
    runs++
    await note(tx, 'again: first')
    if (runs === 1) await terminate(await backendOf(tx))
    await note(tx, 'again: second')
    return 'done'
  })
  assert.equal(result, 'done')
  assert.equal(runs, 2)
  assert.deepEqual(await notes('again'), ['again: first', 'again: second'])
})

test('a transaction whose connection is lost during its commit is not retried', async () => {
  await beside.unsafe(`
    create function public.end_session() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(5); return null; end $$;
    create table public.deadly (id int);
    create constraint trigger deadly after insert on public.deadly deferrable initially deferred
      for each row execute function public.end_session()`)
  let runs = 0
  const lost = db.transaction(async (tx) => {
    runs++
    await tx`insert into public.deadly values (1)`
  })
  await assert.rejects(lost, isDisconnect)
  assert.equal(runs, 1)
})

test('a unit of work that has lost its connection cannot write into the transaction of another', async () => {
  // Twelve transactions are all that there may be at once: the unit and eleven that wait for a lock.
  const gate = await openSql(database.url)
  await gate`select pg_advisory_lock(42)`
  const written = Promise.withResolvers<number>()
  const goOn = Promise.withResolvers<void>()
  const unit = db.unit(
    async () => {},
    async () => {
      const pid = await db.transaction(async (tx) => {
        await note(tx, 'unit: effect')
        return backendOf(tx)
      })
      written.resolve(pid)
      await goOn.promise
      return 'answer'
    },
    async (tx) => {
      await note(tx, 'unit: stored answer')
    },
  )
  const pid = await written.promise
  const others = Array.from({ length: 14 }, (_, n) =>
    db.transaction(async (tx) => {
      await note(tx, `other ${n}: first half`)
      await tx`select pg_advisory_xact_lock_shared(42)`
      throw new Error('the second half fails')
    }),
  )
  const outcomes = Promise.allSettled(others)
  await terminate(pid)
  goOn.resolve()
  await assert.rejects(unit, isDisconnect)
  await gate`select pg_advisory_unlock(42)`
  await outcomes
  await gate.end()
  assert.deepEqual(await notes('other'), [])
  assert.deepEqual(await notes('unit'), [])
})

test('statements that wait behind a failed one report the error of that one', async () => {
  for (let round = 0; round < 20; round++) {
    const failing = db.transaction(async (tx) => {
      const deep = async () => (await (async () => tx`select 1 / 0`)())[0]
      await Promise.all([deep(), ...Array.from({ length: 5 }, () => tx`select 1`)])
    })
    await assert.rejects(failing, { code: '22012' })
  }
})

test('a transaction that has ended refuses further statements', async () => {
  let leaked: Tx | undefined
  await db.transaction(async (tx) => {
    leaked = tx
  })
  await assert.rejects(async () => leaked!`select 1`, /has already ended/)
})

test('a transaction in which a statement failed is not reported as committed', async () => {
  const swallowed = db.transaction(async (tx) => {
    await note(tx, 'swallowed')
    await tx`select 1 / 0`.catch(() => {})
  })
  await assert.rejects(swallowed, /rolled back/)
  assert.deepEqual(await notes('swallowed'), [])
})

test('after all connections were terminated, statements run on new ones', async () => {
  await Promise.all(Array.from({ length: 20 }, () => db.sql`select 1`))
  for (let round = 0; round < 3; round++) {
    await beside`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name = 'trivet'`
    await eventually(async () => {
      await db.sql`select 1`
      await db.write((q) => q`insert into public.notes values (${`round ${round}`})`)
      await db.transaction((tx) => tx`select 1`)
    })
  }
  assert.deepEqual(await notes('round'), ['round 0', 'round 1', 'round 2'])
})

test('a prepared statement whose table has changed is prepared again', async () => {
  await beside`create table public.growing (a int)`
  await beside`insert into public.growing values (1)`
  const read = () => db.sql`select * from public.growing`
  for (let n = 0; n < 20; n++) assert.deepEqual([...(await read())], [{ a: 1 }])
  await beside`alter table public.growing add column b int default 2`
  const rows = await Promise.all(Array.from({ length: 20 }, async () => [...(await read())]))
  assert.deepEqual(rows, Array(20).fill([{ a: 1, b: 2 }]))
})

test('a transaction that is idle for five seconds is ended by the server', async () => {
  const [row] = await db.transaction((tx) => tx`show idle_in_transaction_session_timeout`)
  assert.equal(row?.idle_in_transaction_session_timeout, '5s')
})

test('acknowledged writes are on disk even if the role has synchronous_commit off', async (t) => {
  const careless = await freshDatabase()
  const admin = await openSql(careless.url)
  await admin.unsafe(
    `alter database ${new URL(careless.url).pathname.slice(1)} set synchronous_commit to off`,
  )
  await admin.end()
  const own = await openDatabase(careless.url)
  t.after(async () => {
    await own.close()
    await careless.drop()
  })
  const [shared] = await own.sql`show synchronous_commit`
  const [exclusive] = await own.transaction((tx) => tx`show synchronous_commit`)
  assert.deepEqual([shared?.synchronous_commit, exclusive?.synchronous_commit], ['on', 'on'])
})

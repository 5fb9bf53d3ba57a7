import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBacklog } from '#platform/backlog.ts'
import { boot } from '#test/support/boot.ts'

const system = await boot()
const { platform, sql } = system
await sql`create table public.entries (n int not null check (n >= 0))`

type Options = Partial<Parameters<typeof createBacklog<number>>[1]>
const numbers = (options: Options = {}) =>
  createBacklog<number>(platform, {
    name: 'numbers',
    write: async (tx, entries) => {
      await tx`insert into public.entries select * from unnest(${entries}::int[])`
    },
    ...options,
  })
const stored = async () => {
  const rows = await sql<{ n: number }[]>`delete from public.entries returning n`
  return rows.map(({ n }) => n).sort((a, b) => a - b)
}

test('backlog: entries that the database refuses are dropped, and all others are written once', async () => {
  const backlog = numbers({ maxBatch: 50 })
  const all = Array.from({ length: 120 }, (_, n) => n)
  for (const n of all) backlog.add(n % 40 === 7 ? -1 : n)
  await backlog.flush()
  assert.deepEqual(
    await stored(),
    all.filter((n) => n % 40 !== 7),
  )
})

test('backlog: a batch that lost its connection is retried and written once, even if the first attempt had committed', async () => {
  let answers = 0
  const db = {
    ...platform.db,
    transaction: async <T>(work: Parameters<typeof platform.db.transaction<T>>[0]) => {
      const result = await platform.db.transaction(work)
      // The answer to the commit is lost on the way.
      if (++answers === 1) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
      return result
    },
  }
  const backlog = createBacklog<number>(
    { ...platform, db },
    {
      name: 'numbers',
      write: async (tx, entries) => {
        await tx`insert into public.entries select * from unnest(${entries}::int[])`
      },
    },
  )
  for (const n of [1, 2, 3]) backlog.add(n)
  await backlog.flush()
  backlog.add(4)
  await backlog.flush()
  assert.equal(answers, 3)
  assert.deepEqual(await stored(), [1, 2, 3, 4])
})

test('backlog: during an outage entries wait, and beyond the maximum the oldest are dropped', async () => {
  let isAway = true
  const backlog = numbers({
    maxBatch: 10,
    maxWaiting: 30,
    write: async (tx, entries) => {
      if (isAway) throw Object.assign(new Error('away'), { code: '57P01' })
      await tx`insert into public.entries select * from unnest(${entries}::int[])`
    },
  })
  for (let n = 0; n < 45; n++) backlog.add(n)
  await backlog.flush()
  isAway = false
  await backlog.flush()
  const kept = await stored()
  assert.ok(kept.length > 15 && kept.length <= 30, String(kept.length))
  assert.equal(kept.at(-1), 44)
  assert.equal(kept.length, 45 - (kept[0] as number), 'without a gap')
})

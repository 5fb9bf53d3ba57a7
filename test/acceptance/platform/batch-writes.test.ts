import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { batchWrites } from '#platform/db/batch-writes.ts'
import { freshDatabase } from '#test/support/cluster.ts'

type Item = { id: number; owner: number; isAlone?: boolean }
type Statement = { ids: number[]; answer(): void; fail(error: Error): void }

/** Statements end when the test says so; each item is answered with its id. */
const setup = (mayShare?: (first: Item, later: Item) => boolean) => {
  const statements: Statement[] = []
  const write = batchWrites({
    exclusiveBy: ({ owner }: Item) => owner,
    ...(mayShare ? { mayShare } : {}),
    maxRunning: 2,
    run(items) {
      const { promise, resolve, reject } = Promise.withResolvers<number[]>()
      const ids = items.map(({ id }) => id)
      statements.push({ ids, answer: () => resolve(ids), fail: reject })
      return promise
    },
  })
  const items = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: from + n, owner: from + n }))
  return { statements, write, items, all: (of: Item[]) => Promise.all(of.map(write)) }
}

/** As the server refuses a statement, nothing of which is done. */
const refusalBy = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await client.query('select 1 / 0').then(
      () => assert.fail(),
      (error) => error as Error,
    )
  } finally {
    await client.end()
  }
}
// Nothing else may run in this process while the tests move its timers.
const { url, drop } = await freshDatabase()
const refusal = await refusalBy(url)
await drop()
const loss = new Error('connection lost')
beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

/** A few turns of the event loop, in which no time passes. */
const turns = async () => {
  for (let n = 0; n < 4; n++) await turn()
}
/** Long enough for whatever can begin. */
const moment = async () => {
  await turns()
  mock.timers.tick(1)
  await turns()
}

test('batchWrites: concurrent items share one statement, and each gets its own result', async () => {
  const { statements, all, items } = setup()
  const answers = all(items(1, 5))
  await moment()
  assert.deepEqual(
    statements.map(({ ids }) => ids),
    [[1, 2, 3, 4, 5]],
  )
  statements[0]!.answer()
  assert.deepEqual(await answers, [1, 2, 3, 4, 5])
})

test('batchWrites: two statements run at a time, and items that arrive meanwhile share the next one', async () => {
  const { statements, write, all, items } = setup()
  const first = write({ id: 1, owner: 1 })
  await moment()
  const second = write({ id: 2, owner: 2 })
  await moment()
  const rest = all(items(3, 10))
  await moment()
  assert.equal(statements.length, 2)
  statements[0]!.answer()
  assert.equal(await first, 1)
  await moment()
  assert.deepEqual(
    statements.map(({ ids }) => ids.length),
    [1, 1, 10],
  )
  for (const { answer } of statements) answer()
  assert.equal(await second, 2)
  assert.deepEqual(
    await rest,
    items(3, 10).map(({ id }) => id),
  )
})

test('batchWrites: a statement has at most 25 items, in the order of the calls', async () => {
  const { statements, all, items } = setup()
  const answers = all(items(0, 60))
  await moment()
  assert.deepEqual(
    statements.map(({ ids }) => [ids[0], ids.length]),
    [
      [0, 25],
      [25, 25],
    ],
  )
  statements[0]!.answer()
  await moment()
  assert.deepEqual([statements[2]!.ids[0], statements[2]!.ids.length], [50, 10])
  for (const { answer } of statements) answer()
  assert.equal((await answers).length, 60)
})

test('batchWrites: items with the same exclusive key never run at the same time', async () => {
  const { statements, all } = setup()
  const answers = all([
    { id: 1, owner: 7 },
    { id: 2, owner: 7 },
    { id: 3, owner: 8 },
  ])
  await moment()
  assert.deepEqual(
    statements.map(({ ids }) => ids),
    [[1, 3]],
    'the second of the same owner waits, though a statement is free',
  )
  statements[0]!.answer()
  await moment()
  assert.deepEqual(statements[1]!.ids, [2])
  statements[1]!.answer()
  assert.deepEqual(await answers, [1, 2, 3])
})

test('batchWrites: items with the same exclusive key share a batch if they may, and never run in two', async () => {
  const { statements, all, write } = setup((first, later) => !first.isAlone && !later.isAlone)
  const answers = all([
    { id: 1, owner: 7 },
    { id: 2, owner: 7, isAlone: true },
    { id: 3, owner: 7 },
    { id: 4, owner: 8, isAlone: true },
    { id: 5, owner: 8 },
  ])
  await moment()
  assert.deepEqual(
    statements.map(({ ids }) => ids),
    [[1, 3, 4]],
  )
  const late = write({ id: 6, owner: 7 })
  await moment()
  assert.equal(statements.length, 1, 'an item that comes later waits, though it may share')
  statements[0]!.answer()
  await moment()
  assert.deepEqual(statements[1]!.ids, [2, 5], 'the one that has waited longest comes first')
  statements[1]!.answer()
  await moment()
  assert.deepEqual(statements[2]!.ids, [6])
  statements[2]!.answer()
  assert.deepEqual(await answers, [1, 2, 3, 4, 5])
  assert.equal(await late, 6)
})

test('batchWrites: after a refused batch each item is tried alone, and only the offending one fails', async () => {
  const { statements, write } = setup()
  const answers = Promise.allSettled([1, 2, 3].map((id) => write({ id, owner: id })))
  await moment()
  statements[0]!.fail(refusal)
  await moment()
  assert.deepEqual(
    statements.slice(1).map(({ ids }) => ids),
    [[1], [2], [3]],
  )
  statements[1]!.answer()
  statements[2]!.fail(refusal)
  statements[3]!.answer()
  assert.deepEqual(
    (await answers).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('batchWrites: a batch that may have been committed is not repeated, and all its items fail', async () => {
  const { statements, write } = setup()
  const answers = Promise.allSettled([1, 2].map((id) => write({ id, owner: id })))
  await moment()
  statements[0]!.fail(loss)
  await moment()
  assert.equal(statements.length, 1)
  assert.deepEqual(
    (await answers).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})

test('batchWrites: after a failure the waiting items are still written', async () => {
  const { statements, write } = setup()
  const failing = write({ id: 1, owner: 1 })
  const next = write({ id: 2, owner: 1 })
  await moment()
  statements[0]!.fail(loss)
  await assert.rejects(failing, /connection lost/)
  await moment()
  assert.deepEqual(statements[1]!.ids, [2])
  statements[1]!.answer()
  assert.equal(await next, 2)
})

test('batchWrites: a batch waits a moment for as many items as the last one had', async () => {
  const { statements, write, all, items } = setup()
  const first = all(items(1, 3))
  await moment()
  statements[0]!.answer()
  await first
  const second = [write({ id: 4, owner: 4 }), write({ id: 5, owner: 5 })]
  await turns()
  assert.equal(statements.length, 1)
  second.push(write({ id: 6, owner: 6 }))
  await turns()
  assert.deepEqual(statements[1]!.ids, [4, 5, 6])
  statements[1]!.answer()
  await Promise.all(second)

  const last = write({ id: 7, owner: 7 })
  await turns()
  assert.equal(statements.length, 2)
  mock.timers.tick(1)
  await turns()
  assert.deepEqual(statements[2]!.ids, [7], 'nobody else came')
  statements[2]!.answer()
  assert.equal(await last, 7)
})

test('batchWrites: items that come one after another wait for nothing', async () => {
  const { statements, write } = setup()
  for (let id = 1; id <= 3; id++) {
    const written = write({ id, owner: 1 })
    await turns()
    statements.at(-1)!.answer()
    assert.equal(await written, id)
  }
})

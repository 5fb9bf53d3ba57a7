import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoard, openBoard } from './board.ts'

/** Workers in one process, each with what was delivered to it. */
const workersWithBoard = (workers: number) => {
  const file = createBoard(workers)
  const open = (number: number) => {
    const received: string[] = []
    const gaps = { count: 0 }
    const board = openBoard(
      { file, workers, number },
      { deliver: (payload) => received.push(payload), onGap: () => gaps.count++ },
    )
    return { ...board, received, gaps }
  }
  return { open, all: Array.from({ length: workers }, (_, index) => open(index + 1)) }
}
type Worker = ReturnType<ReturnType<typeof workersWithBoard>['open']>

test('what a worker has posted is delivered to every other worker when it reads next, once and in order', () => {
  const { all } = workersWithBoard(3)
  const [first, second, third] = all as [Worker, Worker, Worker]
  first.post(['topic a'])
  first.post(['topic b\nwith a second line, ü and 🦊'])
  second.post(['topic c'])
  for (const worker of [...all, ...all]) worker.read()
  assert.deepEqual(first.received, ['topic c'])
  assert.deepEqual(second.received, ['topic a', 'topic b\nwith a second line, ü and 🦊'])
  assert.deepEqual(third.received, ['topic a', 'topic b\nwith a second line, ü and 🦊', 'topic c'])
})

test('signals that are posted together are delivered one by one, however many they are', () => {
  const [writer, reader] = workersWithBoard(2).all as [Worker, Worker]
  writer.post(['topic a', 'topic b'])
  reader.read()
  assert.deepEqual(reader.received, ['topic a', 'topic b'])
  const many = Array.from({ length: 200 }, (_, n) => `topic ${n} ${'x'.repeat(500)}`)
  writer.post(many)
  reader.read()
  assert.deepEqual(reader.received.slice(2), many)
  assert.equal(reader.gaps.count, 0)
})

test('signals are whole where the space for them ends and begins anew', () => {
  const [writer, reader] = workersWithBoard(2).all as [Worker, Worker]
  const posted = Array.from({ length: 5_000 }, (_, n) => `topic ${n} ${'x'.repeat(n % 997)}`)
  for (const [n, payload] of posted.entries()) {
    writer.post([payload])
    if (n % 50 === 0) reader.read()
  }
  reader.read()
  assert.deepEqual(reader.received, posted)
  assert.equal(reader.gaps.count, 0)
})

test('a worker that has not read for too long learns that it missed signals, and receives those that follow', () => {
  const [writer, reader] = workersWithBoard(2).all as [Worker, Worker]
  for (let n = 0; n < 100; n++) writer.post(['x'.repeat(8_000)])
  reader.read()
  assert.equal(reader.gaps.count, 1)
  assert.deepEqual(reader.received, [])
  writer.post(['topic next'])
  reader.read()
  assert.equal(reader.gaps.count, 1)
  assert.deepEqual(reader.received, ['topic next'])
})

test('a worker that takes the place of another continues its signals, and is not given those of before', () => {
  const { open, all } = workersWithBoard(2)
  const [writer, reader] = all as [Worker, Worker]
  writer.post(['topic of the first'])
  reader.post(['topic of before'])
  const replacement = open(1)
  replacement.post(['topic of the replacement'])
  replacement.read()
  reader.read()
  assert.deepEqual(reader.received, ['topic of the first', 'topic of the replacement'])
  assert.deepEqual(replacement.received, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inParallel } from './in-parallel.ts'
import { stepsInto, stepsTo } from './transfer.ts'

test('what moves into a folder keeps its name, and what is below a folder its structure', () => {
  const steps = stepsInto(
    'new/',
    ['a/x.txt', 'a/photos/'],
    ['a/x.txt', 'a/photos/1.jpg', 'a/photos/old/2.jpg'],
  )
  assert.deepEqual(
    steps.map(({ to }) => to),
    ['new/x.txt', 'new/photos/1.jpg', 'new/photos/old/2.jpg'],
  )
})

test('a renamed folder takes everything below it along', () => {
  assert.deepEqual(
    stepsTo('a/b/', 'a/c/', ['a/b/', 'a/b/1', 'a/b/b/2']).map(({ to }) => to),
    ['a/c/', 'a/c/1', 'a/c/b/2'],
  )
  assert.deepEqual(stepsTo('a', 'b', ['a']), [{ from: 'a', to: 'b' }])
})

test('work on many is done a few at a time, and ends with the first failure', async () => {
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  await inParallel(Array(20).fill(0), work, { atOnce: 3 })
  assert.equal(most, 3)
  const done: number[] = []
  const failing = inParallel(
    [1, 2, 3, 4, 5, 6],
    async (n) => {
      if (n === 3) throw new Error('three')
      done.push(n)
    },
    { atOnce: 1 },
  )
  await assert.rejects(failing, /three/)
  assert.deepEqual(done, [1, 2])
})

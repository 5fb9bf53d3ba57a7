import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemory } from './memory.ts'
import { createMeter, secondsLeft, timeLeft } from './rate.ts'

test('the rate is that of the last ten seconds', () => {
  let time = 0
  const meter = createMeter(() => time)
  for (const bytes of [0, 1_000, 2_000]) {
    meter.note(bytes)
    time += 1_000
  }
  time -= 1_000
  assert.equal(meter.perSecond(), 1_000)
  time = 60_000
  meter.note(2_000)
  time += 1_000
  assert.equal(meter.perSecond(), 0)
})

test('the time left follows bytes, or files where their number is what takes long', () => {
  assert.equal(secondsLeft(1_000, 100), 10)
  assert.equal(secondsLeft(1_000, 0), null)
  assert.equal(secondsLeft(1_000, 100, 5_000, 1_000), 300)
})

test('the time left is said in words that do not flicker', () => {
  assert.equal(timeLeft(3), 'a few seconds left')
  assert.equal(timeLeft(41), '45 seconds left')
  assert.equal(timeLeft(70), '1 minute left')
  assert.equal(timeLeft(7_300), '2 hours left')
})

test('remembered uploads survive what others have written in their place, and expire after seven days', () => {
  let time = 1
  let value: string | null = '{"not": "a list"}'
  const memory = createMemory(
    {
      getItem: () => value,
      setItem(_, text) {
        value = text
      },
      removeItem() {
        value = null
      },
    },
    () => time,
  )
  assert.deepEqual(memory.list(), [])
  const file = { bucketId: 'b', key: 'k', size: 1 }
  memory.add({ ...file, lastModified: 2, bucketName: 'n', fileName: 'f', uploadId: 'u' })
  assert.equal(memory.find(file)?.uploadId, 'u')
  assert.equal(memory.find({ ...file, size: 2 }), undefined)
  time += 8 * 24 * 3600 * 1000
  assert.equal(memory.find(file), undefined)
})

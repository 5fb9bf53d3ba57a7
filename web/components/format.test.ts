import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytes, relativeTime, splitMiddle } from './format.ts'

test('sizes have three digits at most and the unit that fits', () => {
  const sizes = [0, 1, 1023, 1024, 1536, 100 * 1024, 1024 ** 2 - 1, 1024 ** 3 * 2.5]
  assert.deepEqual(sizes.map(bytes), [
    '0 B',
    '1 B',
    '1,023 B',
    '1 KiB',
    '1.5 KiB',
    '100 KiB',
    '1,024 KiB',
    '2.5 GiB',
  ])
})

test('a moment is told relative to now within a month, and as a date beyond it', () => {
  const now = new Date('2026-11-16T12:00:00Z')
  const at = (seconds: number) => relativeTime(new Date(now.getTime() + seconds * 1000), now)
  assert.deepEqual(
    [at(0), at(-30), at(-90), at(3 * 3600), at(-86_400), at(-29 * 86_400)],
    ['now', '30 seconds ago', '1 minute ago', 'in 3 hours', 'yesterday', '29 days ago'],
  )
  assert.match(at(-60 * 86_400), /2026/)
})

test('a long key is split before its last characters, never inside of one', () => {
  assert.deepEqual(splitMiddle('short.txt'), ['short.txt', ''])
  assert.deepEqual(splitMiddle('a'.repeat(30)), ['a'.repeat(18), 'a'.repeat(12)])
  assert.deepEqual(splitMiddle('😀'.repeat(30)), ['😀'.repeat(18), '😀'.repeat(12)])
})

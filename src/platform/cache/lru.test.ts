import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lru } from './lru.ts'

test('an LRU cache keeps the most recently used entries and never more than its maximum', () => {
  const cache = lru<number>(100)
  cache.set('favourite', 1)
  for (let n = 0; n < 10_000; n++) {
    cache.set(`key ${n}`, n)
    assert.equal(cache.get('favourite'), 1)
  }
  assert.equal(cache.size, 100)
  assert.equal(cache.get('key 9999'), 9999)
})

test('in an LRU cache long keys take the room of several entries', () => {
  const cache = lru<number>(1_000)
  for (let n = 0; n < 5_000; n++) cache.set(`${n} ${'x'.repeat(16_000)}`, n)
  assert.ok(cache.size >= 8 && cache.size <= 16, `${cache.size} kept`)
})

test('in an LRU cache large values take the room of several entries', () => {
  const cache = lru<string>(1_000, (text) => text.length)
  for (let n = 0; n < 5_000; n++) cache.set(`${n}`, 'x'.repeat(16_000))
  assert.ok(cache.size >= 8 && cache.size <= 16, `${cache.size} kept`)
  cache.set('larger than all', 'x'.repeat(1_000_000))
  assert.equal(cache.get('larger than all'), undefined)
})

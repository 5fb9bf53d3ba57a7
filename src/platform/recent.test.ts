import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recentMap } from './recent.ts'

test('what was used last is kept, and never more than the maximum', () => {
  const map = recentMap<number>(100)
  map.set('favourite', 1)
  for (let n = 0; n < 10_000; n++) {
    map.set(`key ${n}`, n)
    assert.equal(map.get('favourite'), 1)
  }
  const kept = Array.from({ length: 10_000 }, (_, n) => map.get(`key ${n}`)).filter(
    (value) => value !== undefined,
  )
  assert.ok(kept.length >= 49 && kept.length <= 100, `${kept.length} kept`)
})

test('deleted entries are gone from both generations', () => {
  const map = recentMap<number>(10)
  for (let n = 0; n < 8; n++) map.set(`${n}`, n)
  map.delete('1')
  map.deleteIf((value) => value > 5)
  assert.deepEqual(
    [0, 1, 5, 6, 7].map((n) => map.get(`${n}`)),
    [0, undefined, 5, undefined, undefined],
  )
  map.clear()
  assert.equal(map.get('0'), undefined)
})

test('long keys take the room of several entries, whatever is set or deleted', () => {
  const map = recentMap<number>(1_000)
  const long = (n: number) => `${n} ${'x'.repeat(16_000)}`
  for (let n = 0; n < 5_000; n++) {
    map.set(long(n), n)
    map.set(long(n), n)
    if (n % 2) map.delete(long(n))
  }
  const kept = Array.from({ length: 5_000 }, (_, n) => map.get(long(n))).filter(
    (value) => value !== undefined,
  )
  assert.ok(kept.length >= 4 && kept.length <= 16, `${kept.length} kept`)
  map.clear()
  for (let n = 0; n < 499; n++) map.set(`${n}`, n)
  assert.equal(map.get('0'), 0)
})

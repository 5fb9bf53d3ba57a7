import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBytes, toBytes } from './sizes.ts'

test('a size is shown in the largest unit in which it is a short number', () => {
  assert.deepEqual(fromBytes(2 ** 30), { amount: '1', unit: 'GiB' })
  assert.deepEqual(fromBytes(1.5 * 2 ** 40), { amount: '1.5', unit: 'TiB' })
  assert.deepEqual(fromBytes(512 * 2 ** 20), { amount: '512', unit: 'MiB' })
  assert.deepEqual(fromBytes(null), { amount: '', unit: 'GiB' })
})

test('what is entered becomes whole bytes, and nothing becomes null', () => {
  assert.equal(toBytes({ amount: '0.5', unit: 'GiB' }), 2 ** 29)
  assert.equal(toBytes({ amount: '', unit: 'GiB' }), null)
  assert.equal(toBytes({ amount: 'x', unit: 'GiB' }), null)
})

test('an odd number of bytes survives being shown and saved again', () => {
  for (const bytes of [1, 1000, 123_456_789, 2 ** 40 + 1]) assert.equal(toBytes(fromBytes(bytes)), bytes)
})

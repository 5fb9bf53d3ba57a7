import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from './ids.ts'

test('uuidv7 returns unique version 7 UUIDs that sort by creation', () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7())
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids, [...ids].sort())
  for (const id of ids.slice(0, 100))
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('the first 48 bits of a uuidv7 are the time', () => {
  const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  // Later than any before it: ids of a process never go back, whatever its clock does.
  const later = Math.max(Date.now(), timeOf(uuidv7())) + 1
  assert.equal(timeOf(uuidv7(later)), later)
})

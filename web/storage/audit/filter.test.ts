import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterOf } from './filter.ts'

test('a period of days is from the beginning of the first to the end of the last', () => {
  const { from, to } = filterOf({ from: '2026-02-27', to: '2026-02-28' })
  assert.equal(from, new Date(2026, 1, 27).toISOString())
  assert.equal(to, new Date(2026, 2, 1).toISOString())
})

test('what is empty, and what is no day, is no filter', () => {
  assert.deepEqual(filterOf({ search: '', action: '', person: '', from: 'soon', to: '' }), {})
  assert.deepEqual(filterOf({ search: 'a', action: 'b', person: 'c' }), {
    objectKey: 'a',
    action: 'b',
    actorUserId: 'c',
  })
})

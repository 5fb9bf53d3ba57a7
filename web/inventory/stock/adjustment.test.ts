import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf, notesOf } from './adjustment.ts'

test('adding, removing and a new count become a signed difference', () => {
  assert.equal(differenceOf('add', 3, 10), 3)
  assert.equal(differenceOf('remove', 3, 10), -3)
  assert.equal(differenceOf('set', 3, 10), -7)
  assert.equal(differenceOf('set', 12, 10), 2)
})

test('what changes nothing or is no whole number is no difference', () => {
  assert.equal(differenceOf('set', 10, 10), null)
  for (const quantity of [0, -1, 1.5, null]) assert.equal(differenceOf('add', quantity, 10), null)
})

test('a reason and notes become one text', () => {
  assert.equal(notesOf('Damaged', ' by the forklift '), 'Damaged: by the forklift')
  assert.equal(notesOf('Found', ''), 'Found')
})

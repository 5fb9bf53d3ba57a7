import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeIn, timeZones } from './time-zones.ts'

test('UTC is offered once, and first', () => {
  const names = timeZones()
  assert.equal(names[0], 'UTC')
  assert.equal(names.lastIndexOf('UTC'), 0)
  assert.ok(names.includes('Europe/Paris'))
})

test('the time in a zone is told as soon as its name is complete', () => {
  const noon = new Date('2026-01-15T12:00:00Z')
  assert.match(timeIn('Asia/Tokyo', noon), /9|21/)
  assert.equal(timeIn('Asia/Tok', noon), '')
  assert.equal(timeIn('', noon), '')
})

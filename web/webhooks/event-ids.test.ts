import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventIdAt } from './event-ids.ts'

const isEventId = /^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('the id of a moment is an event id, and begins with the milliseconds since 1970', () => {
  const id = eventIdAt(new Date('2026-11-16T12:00:00.123Z'))
  assert.match(id, isEventId)
  const time = Number.parseInt(id.slice(4, 17).replace('-', ''), 16)
  assert.equal(new Date(time).toISOString(), '2026-11-16T12:00:00.123Z')
})

test('ids of later moments are greater, and those before 1970 are the smallest', () => {
  const moments = ['1960-01-01', '1999-12-31', '2026-11-16T12:00:00.000Z', '2026-11-16T12:00:00.001Z']
  const ids = moments.map((moment) => eventIdAt(new Date(moment)))
  assert.deepEqual(ids, ids.toSorted())
  for (const id of ids) assert.match(id, isEventId)
})

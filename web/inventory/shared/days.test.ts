import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysUntil } from './days.ts'

test('days are counted by the calendar, whatever the hour', () => {
  const late = new Date(2026, 2, 28, 23, 59)
  assert.deepEqual(
    ['2026-03-28', '2026-03-29', '2026-03-27', '2026-04-28'].map((day) => daysUntil(day, late)),
    [0, 1, -1, 31],
  )
})

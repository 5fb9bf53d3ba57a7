import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayIn, periodName, presetsOf, usualGrouping } from './period.ts'

test('what is no day, or one that is still being typed, is ignored', () => {
  assert.equal(dayIn('2026-02-28'), '2026-02-28')
  for (const text of [undefined, '', 'x', '0202-01-01', '2026-13-01', '2026-1-1'])
    assert.equal(dayIn(text), undefined, `${text}`)
})

test('periods end today, and months and years begin on their first day', () => {
  const of = (today: string) =>
    Object.fromEntries(presetsOf(today).map(({ label, from, to }) => [label, [from, to]]))
  const march = of('2026-03-01')
  assert.deepEqual(march['Last 30 days'], ['2026-01-31', '2026-03-01'])
  assert.deepEqual(march['This month'], ['2026-03-01', '2026-03-01'])
  assert.deepEqual(march['Last month'], ['2026-02-01', '2026-02-28'])
  assert.deepEqual(of('2024-01-31')['Last month'], ['2023-12-01', '2023-12-31'])
})

test('a longer period is shown in longer steps', () => {
  assert.equal(usualGrouping(), 'day')
  assert.equal(usualGrouping('2026-01-01', '2026-01-30'), 'day')
  assert.equal(usualGrouping('2025-01-01', '2026-01-01'), 'week')
  assert.equal(usualGrouping('2020-01-01', '2026-01-01'), 'month')
  assert.equal(usualGrouping('2025-12-01', undefined, '2026-04-01'), 'week')
})

test('a period is named by its day, its week or its month', () => {
  assert.match(periodName('2026-01-05', 'day'), /2026/)
  assert.match(periodName('2026-01-05', 'week'), /^Week of .*2026/)
  assert.match(periodName('2026-01', 'month'), /2026/)
})

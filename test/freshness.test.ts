import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshnessOf, problemsOf, readReasons } from '../.ci/freshness.ts'

const now = new Date('2026-11-19T12:00:00Z')
const published = {
  created: '2020-01-01T00:00:00Z',
  '2.3.0': '2026-01-01T00:00:00Z',
  '2.3.1': '2026-02-01T00:00:00Z',
  '2.4.0': '2026-09-01T00:00:00Z',
  '2.10.0': '2026-11-01T00:00:00Z',
  '3.0.0-beta.1': '2026-01-01T00:00:00Z',
}
const of = (version: string, times: Record<string, string> = published) =>
  freshnessOf('lib', version, times, now)

test('a version is behind since the first newer minor of its major was published', () => {
  assert.deepEqual(of('2.3.1'), {
    name: 'lib',
    version: '2.3.1',
    newest: '2.10.0',
    age: 291,
    majors: 0,
    behindDays: 79,
  })
  assert.equal(of('2.4.0').behindDays, 18)
  assert.deepEqual([of('2.10.0').behindDays, of('2.10.0').newest], [null, '2.10.0'])
})

test('a newer patch or major is shown and is no delay; prereleases count for prereleases only', () => {
  const times = { ...published, '4.0.0': '2026-03-01T00:00:00Z', '2.10.1': '2026-03-01T00:00:00Z' }
  const { majors, behindDays, newest } = of('2.10.0', times)
  assert.deepEqual({ majors, behindDays, newest }, { majors: 2, behindDays: null, newest: '4.0.0' })
  const pre = { '18.4.0-beta.17': '2026-05-20T00:00:00Z', '18.6.0-beta.1': '2026-09-01T00:00:00Z' }
  assert.equal(of('18.4.0-beta.17', pre).behindDays, 79)
})

test('a dependency that is behind for more than 60 days needs a reason, and a reason needs a dependency', () => {
  const all = [of('2.3.1')]
  assert.match(problemsOf(all, new Map())[0]!, /^lib 2\.3\.1 has been behind by a minor version for 79 days/)
  assert.deepEqual(problemsOf(all, readReasons('# why\nlib: 2.4 loses data\n')), [])
  assert.deepEqual(problemsOf([of('2.4.0')], new Map()), [])
  assert.deepEqual(problemsOf([of('2.4.0')], readReasons('lib: 2.4 loses data')), [
    'lib needs no reason any more',
  ])
})

test('a dependency that is not pinned is an error', () => {
  assert.throws(() => of('^2.3.0'), /not pinned/)
})

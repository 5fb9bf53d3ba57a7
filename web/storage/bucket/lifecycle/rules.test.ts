import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectsOf, ruleOf, scopeOf, tagsIn, valuesOf } from './rules.ts'

const blank = { ...ruleOf(valuesOf()), id: 'x', tags: {}, expiration_date: null }
const size = (bytes: number) => `${bytes} B`
const day = (at: Date) => at.toISOString().slice(0, 10)

test('a rule says which objects it is about', () => {
  assert.equal(scopeOf(blank, size), 'All objects')
  assert.equal(
    scopeOf({ ...blank, prefix: 'drafts/', tags: { state: 'old' }, max_size_bytes: 10 }, size),
    'Keys that begin with drafts/, tagged state=old, at most 10 B',
  )
  assert.equal(scopeOf({ ...blank, min_size_bytes: 0 }, size), 'At least 0 B')
})

test('a rule says everything that it does', () => {
  assert.deepEqual(effectsOf(blank, day), [])
  assert.deepEqual(
    effectsOf(
      {
        ...blank,
        expiration_days: 1,
        noncurrent_days: 30,
        newer_noncurrent_versions: 3,
        abort_uploads_days: 7,
      },
      day,
    ),
    [
      'Deletes objects 1 day after they were stored',
      'Removes old versions and deleted objects for good after 30 days, but keeps the newest 3',
      'Ends unfinished uploads after 7 days',
    ],
  )
  assert.deepEqual(effectsOf({ ...blank, expiration_date: '2027-01-01T00:00:00.000Z' }, day), [
    'Deletes objects from 2027-01-01 on',
  ])
})

test('a rule comes back from its form as it was', () => {
  const rule = {
    ...blank,
    tags: { a: 'b=c', d: '' },
    expiration_date: '2027-01-01T00:00:00.000Z',
    noncurrent_days: 3,
  }
  assert.deepEqual(ruleOf(valuesOf(rule)), rule)
  assert.deepEqual(tagsIn(' a = b \n\n c \n'), { a: 'b', c: '' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchPath } from './match.ts'

test('an address gives the parts that a pattern names', () => {
  assert.deepEqual(matchPath('/console/buckets/:bucketId/:tab?', '/console/buckets/b1/policy'), {
    bucketId: 'b1',
    tab: 'policy',
  })
  assert.deepEqual(matchPath('/console/buckets/:bucketId/:tab?', '/console/buckets/b%2F1'), {
    bucketId: 'b/1',
  })
})

test('an address with too few or too many parts does not match', () => {
  assert.equal(matchPath('/console/buckets/:bucketId', '/console/buckets'), null)
  assert.equal(matchPath('/console/buckets', '/console/buckets/b1'), null)
  assert.equal(matchPath('/console/buckets', '/console/keys'), null)
})

test('a part that is not encoded properly is taken as it is', () => {
  assert.deepEqual(matchPath('/:name', '/%zz'), { name: '%zz' })
})

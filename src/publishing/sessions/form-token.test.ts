import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formTokenOf, isSameFormToken } from './form-token.ts'

test('a form token is another text each time, and is recognised for its own cookie only', () => {
  const [first, second, other] = [formTokenOf('a'), formTokenOf('a'), formTokenOf('b')]
  assert.notEqual(first, second)
  assert.ok(isSameFormToken(first, second))
  assert.ok(!isSameFormToken(other, first))
  for (const bad of ['', 'x', first.slice(1), `${first}AAAA`, 'A'.repeat(86)])
    assert.ok(!isSameFormToken(bad, first), bad)
})

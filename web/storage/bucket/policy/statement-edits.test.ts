import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceStatement, withoutStatement, withStatement } from './statement-edits.ts'
import type { Statement } from './statements.ts'

const about = (resourceId: string): Statement => ({
  effect: 'deny', action: 'object.read', resourceType: 'object', resourceId, subjectType: 'role', subjectId: 'member',
}) // biome-ignore format: one line
const [a, b, c] = [about('a'), about('b'), about('c')]

test('a statement is added where it was, or at the end if others have removed what was before it', () => {
  assert.deepEqual(withStatement([a, c], 1, b), [a, b, c])
  assert.deepEqual(withStatement([a], 5, b), [a, b])
})

test('a statement is removed and replaced wherever it is by now', () => {
  assert.deepEqual(withoutStatement([b, a], a), [b])
  assert.deepEqual(replaceStatement([c, a], a, b), [c, b])
})

test('what was done by an earlier attempt is not done again', () => {
  const done = [{ ...a, conditions: null }, b]
  assert.equal(withStatement(done, 2, a), done)
  assert.equal(withoutStatement(done, c), done)
  assert.equal(replaceStatement(done, c, a), done)
})

test('a statement that somebody else has changed is not replaced', () => {
  assert.throws(() => replaceStatement([b], a, c), /Somebody else has changed or deleted/)
})

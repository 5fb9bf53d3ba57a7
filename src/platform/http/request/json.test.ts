import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { someValue, writeCanonical } from './json.ts'

const canonical = (value: unknown) => {
  let text = ''
  writeCanonical(value, (piece) => {
    text += piece
  })
  return text
}
const deep = (depth: number) => {
  let value: unknown = 'bottom'
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value }
  return value
}

test('writeCanonical writes the same JSON whatever the order of names', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(canonical(value)), JSON.parse(JSON.stringify(value)))
    }),
    { seed: 6238 },
  )
  assert.equal(canonical({ b: [1, { d: 1, c: 2 }], a: null }), '{"a":null,"b":[1,{"c":2,"d":1}]}')
  assert.equal(canonical({ a: null, b: [1, { c: 2, d: 1 }] }), '{"a":null,"b":[1,{"c":2,"d":1}]}')
  assert.notEqual(canonical([1, 2]), canonical([2, 1]))
})

test('writeCanonical writes text that is longer than one chunk completely', () => {
  const long = Array.from({ length: 100_000 }, (_, n) => ({ n }))
  assert.equal(canonical(long), JSON.stringify(long))
})

test('writeCanonical and someValue handle very deep values', () => {
  const value = deep(500_000)
  assert.equal(canonical(value).length, '"bottom"'.length + 250_000 * 2 + 250_000 * '{"a":}'.length)
  assert.ok(someValue(value, (found) => found === 'bottom'))
})

test('someValue stops at the first match and reports its path', () => {
  const seen: unknown[] = []
  let where: string[] = []
  const value = { a: [1, { 'b/c': 'here' }], z: 'never looked at' }
  const found = someValue(value, (item, _, path) => {
    seen.push(item)
    if (item === 'here') where = path()
    return item === 'here'
  })
  assert.ok(found)
  assert.deepEqual(where, ['a', '1', 'b/c'])
  assert.ok(!seen.includes('never looked at'))
  assert.equal(
    someValue(value, () => false),
    false,
  )
})

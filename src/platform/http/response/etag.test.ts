import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { etagOf } from './etag.ts'

test('an entity tag is the XXH64 of the bytes that are sent', () => {
  assert.equal(etagOf(''), `"${0xef46db3751d8e999n.toString(36)}"`)
  assert.equal(etagOf('abc'), `"${0x44bc2cf5ad770999n.toString(36)}"`)
})

test('a text has the tag of its bytes, and another text has another tag', () => {
  const text = fc.string({ unit: 'binary', maxLength: 2_000 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      assert.equal(etagOf(one), etagOf(Buffer.from(one)))
      assert.equal(etagOf(one) === etagOf(other), Buffer.from(one).equals(Buffer.from(other)))
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { share, writeJson } from './json.ts'

const post = fc.record({ id: fc.integer(), content: fc.string(), author: fc.record({ handle: fc.string() }) })
/** Like the bodies of responses: one thing, several by name, or a list, each shared or not. */
const body = fc
  .record({
    isShared: fc.boolean(),
    posts: fc.array(post, { maxLength: 3 }),
    one: fc.option(post),
    rest: fc.dictionary(fc.string(), fc.jsonValue()),
    data: fc.jsonValue(),
  })
  .map(({ isShared, posts, one, rest, data }) => {
    const use = <T extends object>(value: T) => (isShared ? share(value) : value)
    return [
      { success: true, data: { posts: posts.map(use), nextCursor: null, missing: undefined }, meta: rest },
      { success: true, data: posts.map(use) },
      { success: true, data: one && use(one) },
      { success: true, data: { post: one && use(one), ...rest } },
      { success: false, data, errors: [undefined] },
      rest,
      posts.map(use),
      data,
    ]
  })

test('the JSON is that of JSON.stringify', () => {
  fc.assert(
    fc.property(body, (bodies) => {
      for (const each of bodies) {
        assert.equal(writeJson(each).json, JSON.stringify(each))
        assert.equal(writeJson(each).json, JSON.stringify(each), 'written again')
      }
    }),
    { seed: 4711 },
  )
})

test('outlines of shared objects are equal where the JSON is, and differ where it does', () => {
  const bit = fc.integer({ min: 0, max: 1 })
  const few = fc.array(fc.record({ id: bit, like_count: bit }), { maxLength: 2 })
  const written = (posts: object[], nextCursor: string | null) =>
    writeJson({ success: true, data: { posts: posts.map((each) => share({ ...each })), nextCursor } })
  const cursor = fc.option(fc.constantFrom('a', 'b'))
  fc.assert(
    fc.property(few, few, cursor, cursor, (first, second, here, there) => {
      const [a, b] = [written(first, here), written(second, there)]
      assert.equal(a.outline === b.outline, a.json === b.json)
    }),
    { seed: 4711 },
  )
})

test('a string does not pass for a shared object', () => {
  const shared = writeJson({ data: [share({ id: 1 })] })
  const digest = shared.outline.slice('{"data":['.length, -']}'.length)
  assert.match(digest, /^#[\w-]{27}$/)
  for (const item of [digest, digest.slice(1), { id: 1 }])
    assert.notEqual(writeJson({ data: [item] }).outline, shared.outline)
})

test('more than fits is written again', () => {
  const posts = Array.from({ length: 3_000 }, (_, id) => share({ id, content: 'x'.repeat(5_000) }))
  const [first, second] = [writeJson({ data: { posts } }), writeJson({ data: { posts } })]
  assert.ok(first.json === JSON.stringify({ data: { posts } }) && first.json === second.json)
  assert.equal(first.outline, second.outline)
})

test('what is shared cannot be changed', () => {
  const shared = share({ like_count: 1 })
  assert.throws(() => {
    shared.like_count = 2
  }, TypeError)
})

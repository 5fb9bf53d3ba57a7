import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathTo } from './location.ts'

test('the path to what was created is filled in from the response', () => {
  assert.equal(pathTo('/api/posts/{data.post.id}', { data: { post: { id: 7 } } }), '/api/posts/7')
  const object = (object_key: string) => ({ bucket_id: 'b', object_key })
  const template = '/buckets/{bucket_id}/objects/{object_key}'
  assert.equal(pathTo(template, object('a b/ü?.txt')), '/buckets/b/objects/a%20b/%C3%BC%3F.txt')
  assert.equal(pathTo(template, object('a/../b')), '/buckets/b/objects/a%2F..%2Fb')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { api } = await storageOwner(system)
const last = '\u{10ffff}'

const bucketOf = async (name: string, keys: string[]) => {
  const id = await createBucket(api, name)
  for (const key of keys)
    assert.equal(
      (await api(`PUT /buckets/${id}/objects/${encodeURIComponent(key)}`, { raw: 'x' })).status,
      201,
    )
  return async (query: Record<string, string>) => {
    const { status, body, text } = await api(`GET /buckets/${id}/objects?${new URLSearchParams(query)}`)
    assert.equal(status, 200, text)
    return {
      keys: body.objects.map((object: { objectKey: string }) => object.objectKey) as string[],
      folders: (body.folders ?? []) as string[],
      next: body.nextCursor as string | null,
      total: body.total as number | undefined,
    }
  }
}

test('a folder is one list entry whatever its keys begin with, up to the last Unicode character', async () => {
  const inside = [`a/${last}`, `a/${last}${last}`, `a/${last}b/c`, 'a/x']
  const list = await bucketOf('levels', [...inside, 'a', 'a0', 'b', `b${last}`, `c${last}/d`, `${last}`])
  const whole = { keys: ['a', 'a0', 'b', `b${last}`, last], folders: ['a/', `c${last}/`] }
  const all = await list({ delimiter: '/', limit: '100' })
  assert.deepEqual({ keys: all.keys, folders: all.folders }, whole)
  const second = await list({ delimiter: '/', limit: '2', offset: '2' })
  assert.deepEqual([second.keys, second.folders], [['a0', 'b'], []])
  for (const limit of ['1', '2', '3']) {
    const seen = { keys: [] as string[], folders: [] as string[] }
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list({ delimiter: '/', limit, ...(cursor ? { cursor } : {}) })
      seen.keys.push(...page.keys)
      seen.folders.push(...page.folders)
      cursor = page.next
    }
    assert.deepEqual(seen, whole, `pages of ${limit}`)
  }
})

test('lists accept delimiters of several characters and ones that end with the last Unicode character', async () => {
  const list = await bucketOf('delimiters', ['a::b', 'a::c', `a:${last}d`, `a:${last}e`, 'a:f', 'b'])
  const colons = await list({ delimiter: '::', limit: '100' })
  assert.deepEqual([colons.keys, colons.folders], [['a:f', `a:${last}d`, `a:${last}e`, 'b'], ['a::']])
  const odd = await list({ delimiter: `:${last}`, limit: '100' })
  assert.deepEqual([odd.keys, odd.folders], [['a::b', 'a::c', 'a:f', 'b'], [`a:${last}`]])
  const { id } = (await api('GET /buckets')).body[0]
  const refused = await api(`GET /buckets/${id}/objects?delimiter=${encodeURIComponent(last)}`)
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^delimiter /)
})

test('a cursor continues after the last key, not after the keys that begin with it', async () => {
  const keys = ['k', 'k ', 'k!', 'kk', `k${last}`]
  const list = await bucketOf('walk', keys)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list({ limit: '1', ...(cursor ? { cursor } : {}) })
    seen.push(...page.keys)
    cursor = page.next
  }
  assert.deepEqual(seen, keys)
})

test('a list leaves out the total if it is not to be counted, and is the same otherwise', async () => {
  const list = await bucketOf('uncounted', ['a/b', 'a/c/d', 'e'])
  const query = { prefix: 'a/', delimiter: '/', limit: '10' }
  assert.deepEqual(await list({ ...query, count: 'true' }), await list(query))
  const { total, ...counted } = await list(query)
  assert.equal(total, 2)
  assert.deepEqual(await list({ ...query, count: 'false' }), { ...counted, total: undefined })
  const { id } = (await api('GET /buckets')).body[0]
  assert.equal((await api(`GET /buckets/${id}/objects?count=perhaps`)).status, 400)
})

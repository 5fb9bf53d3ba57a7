import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { storage } from '#src/storage/app.ts'
import { boot } from '#test/support/boot.ts'

const system = await boot()

test('storage demo: a month of files of many kinds, versions, a trash, links, members, and verify finds nothing wrong', {
  timeout: 120_000,
}, async () => {
  const ctx = storage.context(system.platform)
  const steps: string[] = []
  const logins = await storage.demo(ctx, (step) => steps.push(step))
  assert.match(steps.at(-1) ?? '', /^(\d+) of \1 files$/)
  assert.deepEqual(await storage.demo(ctx), logins, 'a second time changes nothing')

  const { login: email, password } = logins[0]!
  const { token } = (await system.storage('POST /auth/login', { body: { email, password } })).body
  const api = system.storage.bearer(token)
  const buckets: { id: string; name: string }[] = (await api('GET /buckets')).body
  assert.ok(buckets.length >= 5)
  const idOf = (name: string) => buckets.find((bucket) => bucket.name === name)?.id
  const objects: { content_type: string; created_at: string }[] = []
  for (const { id } of buckets) objects.push(...(await api(`GET /buckets/${id}/objects`)).body)
  assert.ok(new Set(objects.map(({ content_type }) => content_type)).size >= 12, 'kinds of files')
  const times = objects.map(({ created_at }) => Date.parse(created_at))
  assert.ok(Math.max(...times) - Math.min(...times) > 14 * 86_400_000, 'files of several weeks')

  const picture = await fetch(
    `${system.urls.storage}/buckets/${idOf('photos')}/objects/2026/dusk/harbour-1.png`,
    { headers: { authorization: `Bearer ${token}` } },
  )
  const bytes = Buffer.from(await picture.arrayBuffer())
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const packed = bytes.subarray(41, 41 + bytes.readUInt32BE(33))
  assert.equal(inflateSync(packed).length, height * (1 + 3 * width))

  const versions = await api(`GET /buckets/${idOf('contracts')}/versions?objectKey=2026/tern-and-sons.md`)
  assert.equal(versions.body.length, 3)
  const all = await api(`GET /buckets/${idOf('contracts')}/objects?includeDeleted=true`)
  assert.equal(all.body.objects.filter(({ isDeleted }: { isDeleted: boolean }) => isDeleted).length, 1)
  assert.equal((await api('GET /members')).body.length, 3)
  for (const action of ['object.uploaded', 'object.deleted', 'member.added'])
    assert.ok((await api(`GET /audit-logs?action=${action}`)).body.total > 0, action)
  assert.deepEqual(await storage.verify(ctx), [])
})

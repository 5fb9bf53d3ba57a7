import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { clock } = system
const owner = await storageOwner(system)
const { api } = owner
const day = 86_400_000

type Row = { object_key: string; is_recoverable: boolean; deleted_at: string; expires_at: string | null }
const keysIn = (body: { objects: Row[] }) => body.objects.map(({ object_key }) => object_key)

const put = (bucket: string, key: string, text = 'text') =>
  api(`PUT /buckets/${bucket}/objects/${encodeURIComponent(key)}`, { raw: Buffer.from(text) })
const remove = (bucket: string, key: string) =>
  api(`DELETE /buckets/${bucket}/objects/${encodeURIComponent(key)}`)

test('the trash lists what was deleted, the last first, and when it goes for good', async () => {
  const bucket = await createBucket(api, 'deleted')
  for (const key of ['kept', 'first', 'second']) await put(bucket, key, key)
  await remove(bucket, 'first')
  clock.advance(1000)
  const deletedAt = clock.now()
  await remove(bucket, 'second')
  const { status, body } = await api(`GET /buckets/${bucket}/trash`)
  assert.equal(status, 200)
  assert.deepEqual(keysIn(body), ['second', 'first'])
  const [second] = body.objects
  assert.equal(second.size_bytes, 'second'.length)
  assert.ok(Date.parse(second.deleted_at) >= deletedAt.getTime())
  assert.equal(second.is_recoverable, true)
  const days = (Date.parse(second.expires_at) - deletedAt.getTime()) / day
  assert.ok(days >= 30 && days <= 31, String(days))
  assert.equal(body.next_cursor, null)
  await api(`POST /buckets/${bucket}/objects/second/recover`)
  assert.deepEqual(keysIn((await api(`GET /buckets/${bucket}/trash`)).body), ['first'])
})

test('without rules nothing goes for good by itself', async () => {
  const bucket = await createBucket(api, 'for-ever')
  await put(bucket, 'a')
  await remove(bucket, 'a')
  await api(`DELETE /buckets/${bucket}/lifecycle`)
  assert.equal((await api(`GET /buckets/${bucket}/trash`)).body.objects[0].expires_at, null)
})

test('only the last object of a key can be recovered, and none while the key has a live one', async () => {
  const bucket = await createBucket(api, 'again')
  for (const text of ['one', 'two']) {
    await put(bucket, 'k', text)
    await remove(bucket, 'k')
    clock.advance(1000)
  }
  const states = async () =>
    (await api(`GET /buckets/${bucket}/trash`)).body.objects.map(({ is_recoverable }: Row) => is_recoverable)
  assert.deepEqual(await states(), [true, false])
  await put(bucket, 'k', 'three')
  assert.deepEqual(await states(), [false, false])
  const guarded = await api(`DELETE /buckets/${bucket}/objects/k?permanent=true`, {
    headers: { 'if-none-match': '*' },
  })
  assert.equal(guarded.status, 412, 'what is live is not purged with it')
})

test('pages follow each other without gaps, also for deletions at the same time', async () => {
  const bucket = await createBucket(api, 'many')
  const keys = Array.from({ length: 7 }, (_, n) => `key-${n}`)
  for (const key of keys) await put(bucket, key)
  await api(`POST /buckets/${bucket}/objects/delete`, { body: { keys } })
  const found: string[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null; pages++) {
    assert.ok(pages < 5)
    const more: string = cursor ? `&cursor=${cursor}` : ''
    const answer = await api(`GET /buckets/${bucket}/trash?limit=3${more}`)
    found.push(...keysIn(answer.body))
    cursor = answer.body.next_cursor
    assert.equal(answer.headers.has('link'), cursor !== null)
  }
  assert.deepEqual(found.toSorted(), keys)
  const { body } = await api(`GET /buckets/${bucket}/trash?search=ey-3`)
  assert.deepEqual(keysIn(body), ['key-3'])
  assert.deepEqual(keysIn((await api(`GET /buckets/${bucket}/trash?search=%25`)).body), [])
})

test('bad input is refused, and so is the bucket of somebody else', async () => {
  const bucket = await createBucket(api, 'mine')
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=x',
    'cursor=x',
    'cursor=AAAA',
    'cursor=',
    'search=%00',
  ])
    assert.equal((await api(`GET /buckets/${bucket}/trash?${query}`)).status, 400, query)
  const other = await storageOwner(system)
  assert.equal((await other.api(`GET /buckets/${bucket}/trash`)).status, 404)
  assert.equal((await system.storage(`GET /buckets/${bucket}/trash`)).status, 401)
  const email = 'trash-member@example.com'
  await api('POST /members', { body: { fullName: 'Tom Reed', email, password, role: 'member' } })
  const { body } = await system.storage('POST /auth/login', { body: { email, password } })
  const member = system.storage.bearer(body.token)
  assert.equal((await member(`GET /buckets/${bucket}/trash`)).status, 200)
  const statement = { effect: 'deny', action: 'object.list', resourceType: 'bucket', resourceId: '*' }
  await api(`PUT /buckets/${bucket}/policy`, {
    body: { statements: [{ ...statement, subjectType: 'role', subjectId: 'member' }] },
  })
  assert.equal((await member(`GET /buckets/${bucket}/trash`)).status, 403)
})

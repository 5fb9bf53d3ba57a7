import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { held } = bytesOf(system)
const { api } = await storageOwner(system)
const bucketId = await createBucket(api, 'forms', { versioningEnabled: true })
const bytes = Buffer.alloc(30_000, 'f')

type Upload = { content?: Buffer<ArrayBuffer>; objectKey?: string; type?: string; metadata?: string }
const upload = (
  key: string,
  { content = bytes, objectKey = 'form', type = 'text/plain', metadata = '{"a":"1"}' }: Upload = {},
  headers: Record<string, string> = {},
) => {
  const form = new FormData()
  form.append('objectKey', objectKey)
  form.append('metadata', metadata)
  form.append('file', new Blob([content], { type }), 'name')
  return api(`POST /buckets/${bucketId}/objects/upload`, {
    raw: form as never,
    headers: { 'idempotency-key': key, ...headers },
  })
}
const versions = async () => (await api(`GET /buckets/${bucketId}/versions?objectKey=form`)).body.length

test('a form repeated with its Idempotency-Key takes effect once and stores its bytes once', async () => {
  const first = await upload('one')
  assert.equal(first.status, 201)
  const stored = await held()
  const again = await upload('one')
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(await held(), stored)
  assert.equal(await versions(), 1)
  assert.equal((await upload('another')).status, 201)
  assert.equal(await versions(), 2)
})

test('an Idempotency-Key with another form is refused and changes nothing', async () => {
  assert.equal((await upload('two', {}, { 'if-none-match': '"none"' })).status, 201)
  const before = [await versions(), await held()]
  const other = Buffer.from(bytes)
  other[29_999] = 0
  for (const change of [
    { content: other },
    { content: bytes.subarray(1) },
    { content: Buffer.from('small') },
    { objectKey: 'elsewhere' },
    { type: 'text/css' },
    { metadata: '{"a":"2"}' },
  ])
    assert.equal(
      (await upload('two', change, { 'if-none-match': '"none"' })).status,
      409,
      JSON.stringify(change),
    )
  assert.equal((await upload('two')).status, 409, 'another condition')
  assert.deepEqual([await versions(), await held()], before)
  assert.equal((await upload('two', {}, { 'if-none-match': '"none"' })).status, 201)
})

test('a repeated conditional create gets the stored response instead of 412', async () => {
  const create = () => upload('create', { objectKey: 'created' }, { 'if-none-match': '*' })
  const [first, again] = [await create(), await create()]
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.equal(again.body.id, first.body.id)
})

test('of parallel repeats of a form one takes effect; the others get its response or 409', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => upload('parallel', { objectKey: 'race' })),
  )
  const stored = answers.filter(({ status }) => status === 201)
  assert.ok(stored.length >= 1)
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  assert.equal(new Set(stored.map(({ body }) => body.id)).size, 1)
  assert.equal((await api(`GET /buckets/${bucketId}/versions?objectKey=race`)).body.length, 1)
})

test('a refused form leaves its Idempotency-Key free', async () => {
  assert.equal((await upload('refused', { metadata: '[]' })).status, 400)
  assert.equal((await upload('refused')).status, 201)
})

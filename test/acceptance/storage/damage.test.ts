import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storage } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const { ctx, overwrite } = bytesOf(system)
const bucketId = (await api('POST /buckets', { body: { name: 'damage' } })).body.id as string
const at = (key: string) => `/buckets/${bucketId}/objects/${key}`
const MiB = 1024 * 1024
const bytesFor = (size: number) => Buffer.alloc(size, 'good bytes ')
const put = async (key: string, bytes: Buffer) =>
  assert.equal((await api(`PUT ${at(key)}`, { raw: bytes as never })).status, 201)
const blobsOf = async (key: string) =>
  (await system.sql<{ blobs: string[] }[]>`select blobs from storage.objects where object_key = ${key}`)[0]!
    .blobs
const flipped = (bytes: Buffer, position: number) => {
  const copy = Buffer.from(bytes)
  copy[position]! ^= 1
  return copy
}
/** What a client gets that reads to the end: all of it, an error, or an answer that is cut short. */
const download = async (key: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(system.urls.storage + at(key), {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  const bytes = await answer.arrayBuffer().catch(() => null)
  return { status: answer.status, bytes: bytes && Buffer.from(bytes) }
}
const refused = async (key: string) => {
  const { status, body } = await api(`GET ${at(key)}`)
  assert.deepEqual([status, body.message], [500, 'The stored content is damaged'])
}

for (const size of [17_000, MiB])
  test(`one wrong bit in ${size} bytes is noticed before anything is sent`, async () => {
    const [key, bytes] = [`small-${size}`, bytesFor(size)]
    await put(key, bytes)
    const [id] = await blobsOf(key)
    await overwrite(id!, flipped(bytes, size - 1))
    await refused(key)
    assert.equal((await download(key, { range: 'bytes=0-9' })).status, 500, 'nor any part of it')
    assert.deepEqual(
      (await storage.verify(ctx)).map(({ subject }) => subject),
      [id],
    )
    await overwrite(id!, bytes)
    assert.deepEqual(await storage.verify(ctx), [])
    assert.deepEqual(await download(key), { status: 200, bytes })
  })

test('so is one in a database row', async () => {
  await put('row', Buffer.from('in the row'))
  const [id] = await blobsOf('row')
  await system.sql`update storage.blobs set data = 'in the rov' where id = ${id!}`
  await refused('row')
})

for (const position of [0, 2 * MiB])
  test(`a large blob with a wrong bit at ${position} is never sent to its end`, async () => {
    const [key, bytes] = [`large-${position}`, bytesFor(3 * MiB + 1)]
    await put(key, bytes)
    const [id] = await blobsOf(key)
    await overwrite(id!, flipped(bytes, position))
    const cut = await download(key)
    assert.ok(cut.bytes === null, 'the answer ends before it is complete')
    await refused(key)
  })

test('of several blobs each is compared', async () => {
  const parts = [bytesFor(2 * MiB), bytesFor(20_000), bytesFor(2 * MiB + 5)]
  const root = `/buckets/${bucketId}/multipart`
  const { uploadId } = (await api(`POST ${root}/initiate`, { body: { objectKey: 'joined' } })).body
  for (const [index, raw] of parts.entries())
    await api(`PUT ${root}/${uploadId}/parts/${index + 1}`, { raw: raw as never })
  assert.equal((await api(`POST ${root}/${uploadId}/complete`, { body: {} })).status, 201)
  const blobs = await blobsOf('joined')
  for (const [index, id] of blobs.entries()) {
    const good = parts[index]!
    system.clock.advance(3_700_000)
    await overwrite(id, flipped(good, good.length - 1))
    const cut = await download('joined')
    assert.equal(cut.bytes, null, `blob ${index}`)
    await refused('joined')
    await overwrite(id, good)
    assert.equal(
      (await storage.verify(ctx)).some(({ subject }) => subject === id),
      false,
    )
  }
  assert.deepEqual(await download('joined'), { status: 200, bytes: Buffer.concat(parts) })
})

test('a blob that was whole a while ago is compared again', async () => {
  const bytes = bytesFor(2 * MiB)
  await put('later', bytes)
  const [id] = await blobsOf('later')
  assert.equal((await download('later')).status, 200)
  await overwrite(id!, flipped(bytes, 5))
  system.clock.advance(3_700_000)
  assert.equal((await download('later')).bytes, null)
  await refused('later')
})

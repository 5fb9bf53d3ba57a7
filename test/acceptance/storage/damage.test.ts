import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Engine } from '#platform/blobs/engine.ts'
import { storage } from '#storage/app.ts'
import { readBytes, blobsOf as rowsOf } from '#storage/blobs/read.ts'
import { blobs } from '#storage/blobs/state.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectsIn, putObject } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const { ctx, engine, overwrite } = bytesOf(system)
const bucketId = await createBucket(api, 'damage')
const at = objectsIn(bucketId)
const MiB = 1024 * 1024
const bytesFor = (size: number) => Buffer.alloc(size, 'good bytes ')
const put = (key: string, bytes: Buffer) => putObject(api, at(key), bytes)
const blobsOf = async (key: string) =>
  (await system.sql<{ blobs: string[] }[]>`select blobs from storage.objects where object_key = ${key}`)[0]!
    .blobs
const flipped = (bytes: Buffer, position: number) => {
  const copy = Buffer.from(bytes)
  copy[position]! ^= 1
  return copy
}
/** What a client gets that reads to the end: all bytes, an error, or a truncated response. */
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

test('one wrong bit in a blob stored in the database is noticed before anything is sent', async () => {
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

test('each blob of an object of several blobs is verified', async () => {
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

test('a blob that was verified an hour ago is verified again', async () => {
  const bytes = bytesFor(2 * MiB)
  await put('later', bytes)
  const [id] = await blobsOf('later')
  assert.equal((await download('later')).status, 200)
  await overwrite(id!, flipped(bytes, 5))
  system.clock.advance(3_700_000)
  assert.equal((await download('later')).bytes, null)
  await refused('later')
})

test('ranges of a large blob are exact wherever they begin and end', async () => {
  const bytes = Buffer.from(Array.from({ length: 2 * MiB + 77 }, (_, n) => (n * 31 + (n >> 8)) & 255))
  await put('parts', bytes)
  const quarter = MiB / 4
  for (const [start, end] of [
    [0, 0],
    [0, quarter - 1],
    [0, quarter],
    [quarter - 1, quarter],
    [quarter, 2 * quarter - 1],
    [5, bytes.length - 1],
    [0, bytes.length - 2],
    [2 * MiB, bytes.length - 1],
    [bytes.length - 1, bytes.length - 1],
    [1, 3 * quarter + 9],
  ] as const) {
    const part = await download('parts', { range: `bytes=${start}-${end}` })
    assert.equal(part.status, 206)
    assert.ok(part.bytes?.equals(bytes.subarray(start, end + 1)), `${start}-${end}`)
  }
})

test('a damaged range of a large blob is not sent, and from then on nothing of the blob is', async () => {
  const [key, bytes] = ['partly', bytesFor(3 * MiB)]
  await put(key, bytes)
  const [id] = await blobsOf(key)
  await overwrite(id!, flipped(bytes, 2 * MiB + 5))
  const ahead = await download(key, { range: `bytes=0-${MiB}` })
  assert.deepEqual([ahead.status, ahead.bytes?.length], [206, MiB + 1], 'what is whole of it may be sent')
  const [row] = await system.sql`select damaged_at from storage.blobs where id = ${id!}`
  assert.equal(row?.damaged_at, null)
  const behind = await download(key, { range: `bytes=${2 * MiB + 100}-${2 * MiB + 199}` })
  assert.ok(behind.status === 500 || behind.bytes === null, 'not a byte from where it is damaged')
  assert.equal((await download(key, { range: 'bytes=0-9' })).status, 500)
  await refused(key)
  await overwrite(id!, bytes)
  assert.equal(
    (await storage.verify(ctx)).some(({ subject }) => subject === id),
    false,
  )
  assert.equal((await download(key, { range: 'bytes=0-9' })).status, 206)
})

test('a range that reaches into damaged bytes is cut short', async () => {
  const [key, bytes] = ['reaching', bytesFor(3 * MiB)]
  await put(key, bytes)
  const [id] = await blobsOf(key)
  await overwrite(id!, flipped(bytes, 2 * MiB))
  assert.equal((await download(key, { range: `bytes=10-${2 * MiB + 10}` })).bytes, null)
  await refused(key)
})

test('ranges of large blobs without piece checksums are sent', async () => {
  const bytes = bytesFor(2 * MiB)
  await put('before', bytes)
  const [id] = await blobsOf('before')
  await system.sql`update storage.blobs set piece_sums = null where id = ${id!}`
  const part = await download('before', { range: 'bytes=100-199' })
  assert.ok(part.bytes?.equals(bytes.subarray(100, 200)))
})

test('a range of a blob that is missing or truncated is refused', async () => {
  const bytes = bytesFor(2 * MiB)
  await put('short', bytes)
  const [id] = await blobsOf('short')
  await overwrite(id!, bytes.subarray(0, MiB))
  assert.equal((await download('short', { range: 'bytes=0-9' })).status, 500)
  await engine.remove(id!)
  assert.equal((await download('short', { range: 'bytes=0-9' })).status, 500)
})

test('a reader that leaves before the first byte leaves no stream open', async () => {
  const opened: Readable[] = []
  const watchedEngine: Engine = {
    ...engine,
    read: async (...what) => {
      const stream = await engine.read(...what)
      opened.push(stream)
      return stream
    },
  }
  const watched = { ...ctx, moduleStates: new Map() }
  Object.assign(blobs(watched), { engine: watchedEngine })
  await put('left', bytesFor(2 * MiB))
  const rows = await rowsOf(watched, { blobs: await blobsOf('left') })
  const twice = [...rows, ...rows]
  const ways = [
    await readBytes(watched, rows, 0, 2 * MiB - 1),
    await readBytes(watched, rows, 1, 2 * MiB - 1),
    await readBytes(watched, twice, 0, 4 * MiB - 1),
    await readBytes(watched, twice, 1, 4 * MiB - 1),
  ] as Readable[]
  assert.equal(opened.length, ways.length)
  for (const way of ways) way.destroy()
  for (const stream of opened)
    if (!stream.closed) await once(stream, 'close', { signal: AbortSignal.timeout(5_000) })
})

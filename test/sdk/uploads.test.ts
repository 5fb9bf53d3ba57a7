import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStorage, TrivetError, type UploadProgress } from '#sdk/index.ts'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { cableTo } from './cable.ts'

const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
const baseUrl = system.urls.storage
const { token } = await storageOwner(system)
const storage = createStorage({ baseUrl, token })
const { data: bucket } = await storage.POST('/buckets', { body: { name: 'uploads' } })

const mebibyte = 1024 * 1024
const inParts = { partsAboveBytes: mebibyte, partSizeBytes: mebibyte }

const read = async (key: string) => {
  const { body, ...download } = await storage.download(bucket.id, key)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { ...download, bytes: Buffer.concat(chunks) }
}

const pendingUploads = async () => {
  const { data } = await storage.GET('/uploads')
  return data.filter(({ status }) => status === 'pending').length
}

test('a small file is stored by one request, with its type and metadata', async () => {
  const progress: UploadProgress[] = []
  const { done } = storage.upload(bucket.id, 'a folder/ö + %.txt', new Blob(['hello']), {
    contentType: 'text/plain',
    metadata: { author: 'Ada' },
    cacheControl: 'max-age=60',
    onProgress: (step) => progress.push(step),
  })
  assert.equal((await done).object_key, 'a folder/ö + %.txt')
  assert.deepEqual(progress, [{ loaded: 5, total: 5 }])
  const { bytes, contentType, metadata, size } = await read('a folder/ö + %.txt')
  assert.equal(bytes.toString(), 'hello')
  assert.match(contentType, /^text\/plain/)
  assert.deepEqual(metadata, { author: 'Ada' })
  assert.equal(size, 5)
})

test('bytes are stored as a file is, whole or in parts, at once or when a promise has them', async () => {
  const bytes = new Uint8Array(randomBytes(3 * mebibyte))
  const few = await storage.upload(bucket.id, 'few bytes', bytes.subarray(0, 1000)).done
  assert.equal(few.size_bytes, 1000)
  assert.ok((await read('few bytes')).bytes.equals(bytes.subarray(0, 1000)))
  await storage.upload(bucket.id, 'many bytes', Promise.resolve(bytes), inParts).done
  assert.ok((await read('many bytes')).bytes.equals(bytes))
  const lost = storage.upload(bucket.id, 'no bytes', Promise.reject(new Error('The disk is gone')))
  await assert.rejects(lost.done, { message: 'The disk is gone' })
})

test('an empty file can be stored and read', async () => {
  assert.equal((await storage.upload(bucket.id, 'empty', new Blob([])).done).size_bytes, 0)
  assert.equal((await read('empty')).bytes.length, 0)
})

test('a large file is sent in parts, with progress up to its size', async () => {
  const bytes = randomBytes(5 * mebibyte + 17)
  const steps: number[] = []
  const { done } = storage.upload(bucket.id, 'large', new Blob([bytes]), {
    ...inParts,
    contentType: 'video/mp4',
    onProgress: ({ loaded }) => steps.push(loaded),
  })
  const object = await done
  assert.match(object.etag, /-6$/)
  assert.equal(object.content_type, 'video/mp4')
  assert.equal(steps.at(-1), bytes.length)
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  )
  assert.ok(
    steps.some((loaded) => loaded % mebibyte !== 0 && loaded < 5 * mebibyte),
    'progress within a part',
  )
  assert.ok((await read('large')).bytes.equals(bytes))
})

test('a stream of unknown length is sent in parts, a short one as a whole', async () => {
  const bytes = randomBytes(3 * mebibyte + 5)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000)
  }
  const long = await storage.upload(bucket.id, 'streamed', chunks(), inParts).done
  assert.match(long.etag, /-4$/)
  assert.ok((await read('streamed')).bytes.equals(bytes))
  const short = await storage.upload(bucket.id, 'short stream', new Blob(['abc']).stream()).done
  assert.equal(short.etag.replaceAll('"', ''), createHash('md5').update('abc').digest('hex'))
})

test('a paused upload sends nothing until it is resumed', async (t) => {
  const cable = await cableTo(t, baseUrl)
  const bytes = randomBytes(6 * mebibyte)
  const half = Promise.withResolvers<void>()
  const upload = createStorage({ baseUrl: cable.url, token }).upload(bucket.id, 'paused', new Blob([bytes]), {
    ...inParts,
    concurrency: 2,
    onProgress: ({ loaded }) => loaded >= 2 * mebibyte && half.resolve(),
  })
  await half.promise
  upload.pause()
  // What was on its way may still arrive.
  let sent = 0
  await eventually(async () => {
    sent = cable.sent
    await sleep(200)
    assert.equal(cable.sent, sent)
  })
  assert.ok(sent < bytes.length, `${sent} bytes were sent`)
  upload.resume()
  assert.equal((await upload.done).size_bytes, bytes.length)
  assert.ok((await read('paused')).bytes.equals(bytes))
})

test('a cancelled upload leaves no parts and no object', async () => {
  const first = Promise.withResolvers<void>()
  const upload = storage.upload(bucket.id, 'cancelled', new Blob([randomBytes(6 * mebibyte)]), {
    ...inParts,
    concurrency: 1,
    onProgress: ({ loaded }) => loaded > mebibyte && first.resolve(),
  })
  await first.promise
  await upload.cancel()
  await assert.rejects(upload.done, { name: 'AbortError' })
  assert.equal(await pendingUploads(), 0)
  await assert.rejects(storage.download(bucket.id, 'cancelled'), { status: 404 })
})

test('an upload goes on by itself when a lost connection comes back', async (t) => {
  const cable = await cableTo(t, baseUrl)
  const bytes = randomBytes(6 * mebibyte)
  cable.pullAfter(2.5 * mebibyte)
  const { done } = createStorage({ baseUrl: cable.url, token, retries: 0 }).upload(
    bucket.id,
    'interrupted',
    new Blob([bytes]),
    { ...inParts, concurrency: 2 },
  )
  setTimeout(cable.plugIn, 600)
  await done
  assert.ok((await read('interrupted')).bytes.equals(bytes))
})

test('an upload is continued later by its id: parts that have arrived are not sent again', async (t) => {
  const cable = await cableTo(t, baseUrl)
  const bytes = randomBytes(6 * mebibyte)
  let uploadId = ''
  cable.pullAfter(4.5 * mebibyte)
  const { done } = createStorage({ baseUrl: cable.url, token, retries: 0 }).upload(
    bucket.id,
    'continued',
    new Blob([bytes]),
    { ...inParts, concurrency: 1, offlineMs: 0, onStart: (id) => (uploadId = id) },
  )
  await assert.rejects(done, { status: 0 })
  assert.equal(await pendingUploads(), 1)
  cable.plugIn()
  const before = cable.sent
  await createStorage({ baseUrl: cable.url, token }).upload(bucket.id, 'continued', new Blob([bytes]), {
    ...inParts,
    uploadId,
  }).done
  assert.ok(cable.sent - before < 3 * mebibyte, `${cable.sent - before} bytes were sent`)
  assert.ok((await read('continued')).bytes.equals(bytes))
  const again = storage.upload(bucket.id, 'continued', new Blob([bytes]), { ...inParts, uploadId })
  await assert.rejects(again.done, (error) => error instanceof TrivetError && error.status === 409)
})

test('a download goes on with the next byte when the connection was lost, and ends if the object is another', async (t) => {
  const bytes = randomBytes(8 * mebibyte)
  await storage.upload(bucket.id, 'download', new Blob([bytes])).done
  const cable = await cableTo(t, baseUrl)
  const reader = createStorage({ baseUrl: cable.url, token })
  const { body } = await reader.download(bucket.id, 'download')
  const chunks: Uint8Array[] = []
  for await (const chunk of body) {
    chunks.push(chunk)
    if (chunks.length === 3) {
      cable.pull()
      setTimeout(cable.plugIn, 100)
    }
  }
  assert.ok(Buffer.concat(chunks).equals(bytes))

  const changed = await reader.download(bucket.id, 'download')
  await assert.rejects(
    async () => {
      let seen = 0
      for await (const _ of changed.body) {
        if (++seen !== 2) continue
        await storage.upload(bucket.id, 'download', new Blob(['another'])).done
        cable.pull()
        setTimeout(cable.plugIn, 50)
      }
    },
    { status: 412 },
  )
})

test('a part of an object is read from a byte on', async () => {
  await storage.upload(bucket.id, 'digits', new Blob(['0123456789'])).done
  const { body, size } = await storage.download(bucket.id, 'digits', { start: 7 })
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  assert.equal(Buffer.concat(chunks).toString(), '789')
  assert.equal(size, 10)
})

test('a folder tells what is directly in it', async () => {
  for (const key of ['tree/a', 'tree/b/c', 'tree/b/d'])
    await storage.upload(bucket.id, key, new Blob([key])).done
  const { folders, objects, total } = await storage.folder(bucket.id, { prefix: 'tree/' })
  assert.deepEqual(folders, ['tree/b/'])
  assert.deepEqual(
    objects.map(({ objectKey }) => objectKey),
    ['tree/a'],
  )
  assert.equal(total, 3)
  assert.equal((await storage.folder(bucket.id, { prefix: 'tree/', count: false })).total, null)
})

test('keys with segments of dots are stored and read as they are', async () => {
  for (const key of ['a/../b', './c', 'd/..', 'e%2F..%2Ff', 'g?h#i']) {
    await storage.upload(bucket.id, key, new Blob([key])).done
    assert.equal((await read(key)).bytes.toString(), key)
  }
})

test('an upload goes on while a limit of the server refuses it, and says that it waits', async () => {
  let refusals = 6
  const limited = createStorage({
    baseUrl,
    token,
    fetch: async (request) =>
      request.method === 'PUT' && refusals-- > 0
        ? new Response('{"message":"Too many requests"}', { status: 429, headers: { 'retry-after': '0' } })
        : fetch(request),
  })
  const waits: string[] = []
  const { done } = limited.upload(bucket.id, 'limited', new Blob(['x']), {
    onWait: ({ reason }) => waits.push(reason),
  })
  assert.equal((await done).size_bytes, 1)
  assert.deepEqual(waits, Array(6).fill('limit'))
})

test('small files are stored by one request, and what is refused is listed', async () => {
  const files = ['one', 'two', 'three'].map((key) => ({ key: `batch/${key}`, source: new Blob([key]) }))
  const typed = { key: 'batch/typed', source: new Uint8Array([1, 2]), contentType: 'image/x-dots' }
  const first = await storage.uploadBatch(bucket.id, [...files, { ...typed, metadata: { author: 'Ada' } }])
  assert.deepEqual(
    first.uploaded.map(({ key, sizeBytes }) => [key, sizeBytes]),
    [
      ['batch/one', 3],
      ['batch/two', 3],
      ['batch/three', 5],
      ['batch/typed', 2],
    ],
  )
  const { bytes, contentType, metadata } = await read('batch/typed')
  assert.deepEqual([[...bytes], contentType, metadata], [[1, 2], 'image/x-dots', { author: 'Ada' }])
  const { data: versions } = await storage.GET('/buckets/{bucketId}/versions', {
    params: { path: { bucketId: bucket.id }, query: { objectKey: 'batch/one' } },
  })
  assert.equal(versions[0]?.checksum?.value, createHash('sha256').update('one').digest('base64'))

  const again = await storage.uploadBatch(bucket.id, [
    { key: 'batch/one', source: new Blob(['other']), ifNoneMatch: '*' },
    { key: 'batch/four', source: new Blob([]) },
  ])
  assert.deepEqual(again.uploaded[0]?.key, 'batch/four')
  assert.deepEqual(again.errors, [{ key: 'batch/one', status: 412, message: 'Precondition failed' }])
  const unknown = '0195941f-4c1d-7b3e-9a52-6d0c8e2f7a41'
  await assert.rejects(storage.uploadBatch(unknown, files), (error) => {
    assert.ok(error instanceof TrivetError)
    return error.status === 404
  })
})

test('small files that are sent together wait for a lost connection', async (t) => {
  const cable = await cableTo(t, baseUrl)
  const distant = createStorage({ baseUrl: cable.url, token })
  cable.pull()
  const reasons: string[] = []
  const sent = distant.uploadBatch(bucket.id, [{ key: 'late', source: new Blob(['late']) }], {
    offlineMs: 30_000,
    onWait: ({ reason }) => reasons.push(reason),
  })
  await eventually(() => assert.ok(reasons.length > 0))
  cable.plugIn()
  assert.equal((await sent).uploaded.length, 1)
  assert.deepEqual([...new Set(reasons)], ['connection'])
})

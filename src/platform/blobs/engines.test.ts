import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { s3Credentials, s3Environment, startS3 } from '#test/support/s3.ts'
import { type Engine, MissingBytes } from './engine.ts'
import { fileEngine } from './files.ts'
import { s3Engine } from './s3.ts'

const folder = await mkdtemp(join(tmpdir(), 'trivet-engine-'))
const server = await startS3()
await s3Environment(server.endpoint, 'engine')
const place = (endpoint: string, bucket = 'engine') => ({
  bucket,
  endpoint,
  region: 'us-east-1',
  credentials: s3Credentials,
})
after(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const engines: Record<string, Engine> = { files: fileEngine(folder), s3: s3Engine(place(server.endpoint)) }

const inChunks = async function* (bytes: Buffer, step = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
}
const idsIn = async (engine: Engine) => {
  const ids: string[] = []
  for await (const { id } of engine.list()) ids.push(id)
  return ids
}
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const collect = async (stream: Readable) => Buffer.concat(await stream.toArray())

for (const [name, engine] of Object.entries(engines)) {
  for (const size of [20_000, 5 * 1024 * 1024, 12_345_678])
    test(`${name}: ${size} bytes come back exactly, whole and in part`, async () => {
      const [id, bytes] = [uuidv7(), randomBytes(size)]
      await engine.write(id, inChunks(bytes))
      assert.equal(md5(await engine.readWhole(id, size)), md5(bytes))
      assert.equal(md5(await collect(await engine.read(id, size, 0, size - 1))), md5(bytes))
      assert.deepEqual(await collect(await engine.read(id, size, 7, 1006)), bytes.subarray(7, 1007))
      assert.deepEqual(await collect(await engine.read(id, size, size - 1, size - 1)), bytes.subarray(-1))
      assert.ok((await idsIn(engine)).includes(id))
      await engine.remove(id)
      assert.ok(!(await idsIn(engine)).includes(id))
      await engine.remove(id)
    })

  test(`${name}: what is missing, too short or too long is not taken for whole`, async () => {
    const id = uuidv7()
    await assert.rejects(engine.read(id, 10, 0, 9), MissingBytes)
    await assert.rejects(engine.readWhole(id, 10), MissingBytes)
    await engine.write(id, inChunks(Buffer.alloc(30_000)))
    for (const size of [29_999, 30_001]) {
      await assert.rejects(engine.readWhole(id, size), MissingBytes)
      await assert.rejects(engine.read(id, size, 5, 9), MissingBytes)
      await assert.rejects(engine.read(id, size, size - 1, size - 1), MissingBytes)
    }
  })

  for (const size of [100_000, 12_000_000])
    test(`${name}: nothing is left when the bytes end with an error after ${size}`, async () => {
      const before = await idsIn(engine)
      const failing = async function* () {
        yield* inChunks(Buffer.alloc(size))
        throw new AppError(413, 'enough')
      }
      await assert.rejects(engine.write(uuidv7(), failing()), { status: 413 })
      assert.deepEqual(await idsIn(engine), before)
      await engine.sweep(new Date())
    })

  test(`${name}: a reader that goes away is no trouble`, async () => {
    const id = uuidv7()
    await engine.write(id, inChunks(Buffer.alloc(8_000_000)))
    const stream = await engine.read(id, 8_000_000, 0, 7_999_999)
    for await (const _ of stream) break
    assert.ok(stream.destroyed)
    assert.equal((await engine.readWhole(id, 8_000_000)).length, 8_000_000)
  })
}

test('both engines use the same names, so that blobs can be carried from one to the other', async () => {
  const id = uuidv7()
  for (const engine of Object.values(engines)) await engine.write(id, inChunks(Buffer.alloc(20_000)))
  assert.ok((await readdir(join(folder, id.slice(-2)))).includes(id))
  assert.equal(await engines.files?.locate?.(id, 20_000), `${id.slice(-2)}/${id}`)
  assert.equal(engines.s3?.locate, undefined)
})

test('collections in one bucket do not see each other', async () => {
  const objects = s3Engine(place(server.endpoint))
  const pictures = s3Engine({ ...place(server.endpoint), prefix: 'pictures/' })
  const [id, before] = [uuidv7(), await idsIn(objects)]
  await pictures.write(id, inChunks(Buffer.from('a face')))
  assert.deepEqual(await idsIn(pictures), [id])
  assert.deepEqual(await idsIn(objects), before)
  await assert.rejects(objects.readWhole(id, 6), MissingBytes)
  await objects.remove(id)
  assert.equal(String(await pictures.readWhole(id, 6)), 'a face')
  await pictures.remove(id)
  assert.deepEqual(await idsIn(pictures), [])
})

const quick = { connectMs: 200, answerMs: 200, silenceMs: 200 }
const listening = async (web: Server) => {
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  after(() => {
    web.closeAllConnections()
    web.close()
  })
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}`
}
const everyCall = (engine: Engine) => [
  () => engine.write(uuidv7(), inChunks(Buffer.alloc(20_000))),
  () => engine.write(uuidv7(), inChunks(Buffer.alloc(11_000_000))),
  () => engine.read(uuidv7(), 10, 2, 4),
  () => engine.readWhole(uuidv7(), 10),
  () => engine.remove(uuidv7()),
  () => idsIn(engine),
  () => engine.sweep(new Date()),
]

test('s3: a server that is away, refuses, fails or says nothing is an outage, soon', async () => {
  const silent = createServer(() => {})
  const failing = createServer((req, res) => {
    req.resume()
    res.writeHead(500).end()
  })
  const places = {
    away: place('http://127.0.0.1:1'),
    refusing: { ...place(server.endpoint), credentials: { accessKeyId: 'STRANGER', secretAccessKey: 'x' } },
    noBucket: place(server.endpoint, 'no-such-bucket'),
    failing: place(await listening(failing)),
    silent: place(await listening(silent)),
  }
  await Promise.all(
    Object.entries(places).flatMap(([name, where]) =>
      everyCall(s3Engine(where, quick)).map((call, index) =>
        // The bucket that is not there: not every server looks before it says that it cannot list uploads.
        name === 'noBucket' && index === 6
          ? undefined
          : assert.rejects(call, { status: 503 }, `${name}, call ${index}`),
      ),
    ),
  )
})

test('s3: uploads in parts that nobody has ended for a day are aborted, and no others', async () => {
  const now = new Date('2030-06-02T12:00:00Z')
  const [old, recent, foreign] = [uuidv7(), uuidv7(), 'photos/cat.jpg']
  const keyOf = (id: string) => `${id.slice(-2)}/${id}`
  const upload = (key: string, id: string, at: string) =>
    `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`
  const aborted: string[] = []
  const store = createServer((req, res) => {
    req.resume()
    if (req.method === 'DELETE') {
      aborted.push(decodeURIComponent(req.url ?? '').replace(/[?&]x-id=\w+/, ''))
      return res.writeHead(204).end()
    }
    res.writeHead(200, { 'content-type': 'application/xml' })
    return res.end(
      '<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult><Bucket>engine</Bucket>' +
        upload(keyOf(old), 'one', '2030-06-01T11:59:59.000Z') +
        upload(keyOf(recent), 'two', '2030-06-01T12:00:00.000Z') +
        upload(foreign, 'three', '2030-05-01T12:00:00.000Z') +
        '</ListMultipartUploadsResult>',
    )
  })
  await s3Engine(place(await listening(store)), quick).sweep(now)
  // More than once if the response was late, because a request that got none is sent again.
  assert.equal(new Set(aborted.map((url) => url.split('?')[0])).size, 1, aborted.join())
  assert.match(aborted[0]!, new RegExp(`^/engine/${keyOf(old)}\\?.*uploadId=one`))
})

test('s3: a store without room is told from one that is away', async () => {
  const store = createServer((req, res) => {
    req.resume()
    res.writeHead(507, { 'content-type': 'application/xml' })
    res.end('<Error><Code>XMinioStorageFull</Code><Message>full</Message></Error>')
  })
  const engine = s3Engine(place(await listening(store)), quick)
  for (const size of [20_000, 11_000_000])
    await assert.rejects(engine.write(uuidv7(), inChunks(Buffer.alloc(size))), { status: 507 })
})

test('s3: a server that falls silent in the middle ends the download', async () => {
  const half = createServer((_, res) => {
    res.writeHead(200, { 'content-length': 100_000 })
    res.write(Buffer.alloc(50_000))
  })
  const engine = s3Engine(place(await listening(half)), quick)
  await assert.rejects(collect(await engine.read(uuidv7(), 100_000, 0, 99_999)), /fell silent/)
  await assert.rejects(engine.readWhole(uuidv7(), 100_000), { status: 503 })
})

test('s3: a reader that takes its time does not end the download', async (t) => {
  const id = uuidv7()
  await s3Engine(place(server.endpoint)).write(id, inChunks(Buffer.alloc(9_000_000)))
  const stream = await s3Engine(place(server.endpoint), { silenceMs: 500 }).read(id, 9_000_000, 0, 8_999_999)
  // Time passes only once the reader pauses and nothing more is asked for, however long the server takes until then.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let read = 0
  for await (const chunk of stream) {
    if (read === 0) {
      while (stream.readableLength < stream.readableHighWaterMark) await setImmediate()
      t.mock.timers.tick(60_000)
    }
    read += chunk.length
  }
  assert.equal(read, 9_000_000)
})

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { blobPath, fileEngine } from '#platform/blobs/files.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { algorithmNames, algorithmOf } from '../checksums/algorithms.ts'
import { type Digest, receive } from './receive.ts'

const root = await temporaryFolder('receive')
const engine = fileEngine(root)
const max = 64 * 1024 * 1024
const MiB = 1024 * 1024

/** Every chunk has memory of its own, which is freed. */
const inChunks = (bytes: Buffer, size: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size)
        yield Buffer.copyBytesFrom(bytes, at, Math.min(size, bytes.length - at))
    })(),
    { objectMode: false },
  )
const hashOf = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest()
const drafts = () => readdir(join(root, 'drafts'))

const sizes = [1, 8192, 8193, 70_000, 131_071, 131_072, MiB - 1, MiB, MiB + 1, 3 * MiB + 17]

for (const announces of [true, false])
  test(`bodies of every size, received at the same time, ${announces ? 'with' : 'without'} their length, are stored byte for byte`, async () => {
    await Promise.all(
      [...sizes, ...sizes].map(async (size, n) => {
        const bytes = randomBytes(size)
        const announced = announces ? size : undefined
        const body = inChunks(bytes, [1000, 65_536, 300_001][n % 3] as number)
        const blob = await receive(engine, body, { max, announced, ownsChunks: n % 2 === 0 })
        assert.equal(blob.size, size)
        assert.deepEqual(blob.md5, hashOf('md5', bytes))
        assert.ok((blob.data ?? (await readFile(join(root, blobPath(blob.id))))).equals(bytes))
        assert.equal(blob.data === null, size > 8192)
        assert.equal(blob.pieceSums?.length, size > MiB ? 4 * Math.ceil(size / (256 * 1024)) : undefined)
        if (blob.pieceSums)
          assert.equal(blob.pieceSums.readUInt32BE(4), crc32(bytes.subarray(256 * 1024, 512 * 1024)))
      }),
    )
    assert.deepEqual(await drafts(), [])
  })

test('chunks that others hold keep their bytes, whatever their size', async () => {
  for (const size of sizes) {
    const bytes = randomBytes(size)
    const expected = hashOf('md5', bytes)
    await receive(engine, Readable.from([bytes], { objectMode: false }), { max, announced: size })
    assert.deepEqual(hashOf('md5', bytes), expected)
  }
})

test('a block keeps its bytes until it is written, however long that takes', async () => {
  const written = new Map<string, Buffer>()
  const slow = {
    ...engine,
    async write(id: string, chunks: AsyncIterable<Buffer>) {
      const copies: Buffer[] = []
      for await (const chunk of chunks) {
        await setTimeout(20)
        copies.push(Buffer.from(chunk))
      }
      written.set(id, Buffer.concat(copies))
    },
  }
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const bytes = randomBytes(4 * MiB + 1)
      const { id, md5 } = await receive(slow, inChunks(bytes, 65_536), { max, ownsChunks: true })
      assert.ok(written.get(id)?.equals(bytes))
      assert.deepEqual(md5, hashOf('md5', bytes))
    }),
  )
})

test('digests of bodies of every size are computed, whatever the algorithm', async () => {
  for (const size of [0, ...sizes]) {
    const bytes = randomBytes(size)
    const found = new Map<string, string>()
    const digests = algorithmNames.map((algorithm) => ({
      algorithm,
      check: (digest: Buffer) => void found.set(algorithm, digest.toString('hex')),
    }))
    await receive(engine, size === 0 ? null : inChunks(bytes, 65_536), { max, announced: size, digests })
    assert.deepEqual([...found.keys()], algorithmNames)
    for (const name of ['MD5', 'SHA1', 'SHA256', 'SHA512'])
      assert.equal(found.get(name), hashOf(name, bytes).toString('hex'))
    assert.equal(found.get('CRC32'), crc32(bytes).toString(16).padStart(8, '0'))
    const crc64 = algorithmOf('CRC64NVME').start()
    crc64.update(bytes)
    assert.equal(found.get('CRC64NVME'), crc64.digest().toString('hex'))
  }
})

test('a large body whose digest is refused is refused as a whole, and nothing of it is left', async () => {
  const before = (await Array.fromAsync(engine.list())).length
  const bytes = randomBytes(2 * MiB)
  const accepted: Digest = { algorithm: 'MD5', check() {} }
  const refused: Digest = {
    algorithm: 'SHA256',
    check(found) {
      assert.deepEqual(found, hashOf('sha256', bytes))
      throw new Error('another digest')
    },
  }
  await assert.rejects(receive(engine, inChunks(bytes, 65_536), { max, digests: [accepted, refused] }), {
    message: 'another digest',
  })
  assert.deepEqual(await drafts(), [])
  assert.equal((await Array.fromAsync(engine.list())).length, before)
})

test('a body without a length is refused at the first byte too many, while its sender waits', async () => {
  const body = new Readable({ read() {} })
  const refused = assert.rejects(receive(engine, body, { max: 20_000 }), { status: 413 })
  body.push(Buffer.alloc(20_000))
  body.push(Buffer.alloc(1))
  await refused
  assert.equal(body.destroyed, false)
  assert.deepEqual(await drafts(), [])
})

test('a body that breaks off is refused with 400, and nothing of it is left', async () => {
  const body = new Readable({ read() {} })
  const refused = assert.rejects(receive(engine, body, { max, announced: 2 * MiB }), { status: 400 })
  body.push(Buffer.alloc(MiB + 5))
  body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
  await refused
  assert.deepEqual(await drafts(), [])
})

test('a disk that fails while a body arrives fails that body alone', async () => {
  const failing = {
    ...engine,
    async write(_: string, chunks: AsyncIterable<Buffer>) {
      for await (const _chunk of chunks) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    },
  }
  const bytes = randomBytes(2 * MiB)
  const [full, stored] = await Promise.allSettled([
    receive(failing, inChunks(bytes, 65_536), { max }),
    receive(engine, inChunks(bytes, 65_536), { max }),
  ])
  assert.equal(full.status, 'rejected')
  assert.equal(stored.status === 'fulfilled' && stored.value.md5.equals(hashOf('md5', bytes)), true)
})

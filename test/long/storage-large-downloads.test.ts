import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, readlink, realpath } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const bucketId = await createBucket(api, 'large')
const sizes = [1_048_577, 3_000_000, 5 * 1_048_576]
const objects = await Promise.all(
  sizes.map(async (size) => {
    const bytes = randomBytes(size)
    const path = `/buckets/${bucketId}/objects/${size}`
    assert.equal((await api(`PUT ${path}`, { raw: bytes as never })).status, 201)
    return { bytes, path }
  }),
)

const download = (path: string, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}`, ...headers }, agent: false }
    get(system.urls.storage + path, options, resolve).once('error', reject)
  })
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const hashed = async (answer: IncomingMessage, pauseMs = 0) => {
  const hash = createHash('sha256')
  for await (const chunk of answer) {
    hash.update(chunk as Buffer)
    if (pauseMs > 0) await sleep(pauseMs)
  }
  return hash.digest('hex')
}

test('parallel large downloads, fast and slow, each receive their own bytes', async () => {
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const { bytes, path } = objects[n % objects.length]!
        const answer = await download(path)
        assert.equal(answer.headers['content-length'], String(bytes.length))
        assert.equal(await hashed(answer, n % 4 === 0 ? 2 : 0), digestOf(bytes))
      }),
    )
})

test('parallel ranges of large files are exact wherever they begin and end', async () => {
  const { bytes, path } = objects[2]!
  const spots = [0, 1, 262_143, 262_144, 262_145, 1_000_000, bytes.length - 2, bytes.length - 1]
  for (const first of spots)
    for (const last of spots.filter((spot) => spot >= first)) {
      const answer = await download(path, { range: `bytes=${first}-${last}` })
      assert.equal(answer.statusCode, 206)
      assert.equal(await hashed(answer), digestOf(bytes.subarray(first, last + 1)), `${first}-${last}`)
    }
})

/** The names of the files that this process has open, from /proc or, on other systems, from lsof. */
const openFiles = async () => {
  if (process.platform !== 'linux')
    return (await promisify(execFile)('lsof', ['-p', String(process.pid), '-Fn'])).stdout
      .split('\n')
      .map((line) => line.slice(1))
  const files = await readdir('/proc/self/fd')
  // The descriptor of the listing itself is closed by now.
  return Promise.all(files.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
}
const folder = await realpath(system.dataDir)
const openBlobs = async () => (await openFiles()).filter((name) => name.startsWith(folder)).length

test('readers that leave during a large download leave no file open and do not disturb others', async () => {
  const seen = await open(join(folder, 'seen'), 'w')
  assert.equal(await openBlobs(), 1, 'what is open is seen')
  await seen.close()
  const { bytes, path } = objects[2]!
  const leavers = Array.from({ length: 10 }, async (_, n) => {
    const answer = await download(path)
    if (n % 2) await new Promise((resolve) => answer.once('data', resolve))
    answer.destroy()
  })
  const stayers = Array.from({ length: 5 }, async () => {
    assert.equal(await hashed(await download(path)), digestOf(bytes))
  })
  await Promise.all([...leavers, ...stayers])
  await eventually(async () => assert.equal(await openBlobs(), 0, 'a file is still open'))
})

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const bucketId = (await api('POST /buckets', { body: { name: 'large' } })).body.id as string
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

test('many large downloads at once, quick and slow ones, each get their own bytes', async () => {
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

test('ranges of them, from anywhere to anywhere', async () => {
  const { bytes, path } = objects[2]!
  const spots = [0, 1, 262_143, 262_144, 262_145, 1_000_000, bytes.length - 2, bytes.length - 1]
  for (const first of spots)
    for (const last of spots.filter((spot) => spot >= first)) {
      const answer = await download(path, { range: `bytes=${first}-${last}` })
      assert.equal(answer.statusCode, 206)
      assert.equal(await hashed(answer), digestOf(bytes.subarray(first, last + 1)), `${first}-${last}`)
    }
})

const openBlobs = async () => {
  const files = await readdir('/proc/self/fd').catch(() => [])
  const names = await Promise.all(files.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return names.filter((name) => name.startsWith(system.dataDir)).length
}

test('readers that go away leave no file open, and disturb nobody', async () => {
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
  const deadline = performance.now() + 5000
  while ((await openBlobs()) > 0) {
    assert.ok(performance.now() < deadline, 'a file is still open')
    await sleep(20)
  }
})

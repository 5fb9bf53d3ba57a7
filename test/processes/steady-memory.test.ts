import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '#test/support/client.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { type Memory, memoryOf, watchMemory } from '#test/support/memory.ts'
import { postmasterPid } from '#test/support/postmaster.ts'
import { headOf, rawConnection } from '#test/support/sockets.ts'
import { signedHeaders } from '../../bench/s3/signed.ts'
import { streamDown, streamUp } from '../../bench/storage/memory.ts'
import { allocation, nodeOptions } from '../../bin/options.js'
import { serveProcess } from './fixtures/trivet-process.ts'

/** What the server and its database may take together while data passes through them, in MiB. */
const most = 300
/** What one connection may hold whose client does not read: a few chunks of a download, or one response from memory. */
const perConnection = 1
/** What is a different amount each time: garbage that was not collected yet, and sessions of the database. */
const noise = 40

// As `npm start` runs it.
const dataDir = await temporaryFolder('steady')
const server = await serveProcess({ ...allocation, TRIVET_DATA: dataDir }, nodeOptions)
const { storage, s3 } = server.urls
const postmaster = await postmasterPid(dataDir)
const measure = () => memoryOf(server.pid, postmaster)

const { api } = await storageOwner({ storage: client(storage) })
const key = (await api('POST /auth/api-keys', { body: { label: 'k' } })).body
const headers = { 'x-api-key': key.key as string }
const { id: bucket } = (await api('POST /buckets', { body: { name: 'files' } })).body
const objects = `/buckets/${bucket}/objects`

const inWords = ({ process, database, all }: Memory) =>
  `${Math.round(all)} MiB: the server ${Math.round(process)}, its database ${Math.round(database)}`

/** The highest memory while something is done. */
const peakOf = async (t: TestContext, what: string, work: () => Promise<unknown>) => {
  const watch = watchMemory(measure)
  await work().finally(watch.end)
  const peak = await watch.peak
  t.diagnostic(`${what}: ${inWords(peak)}`)
  return peak
}

/** Two at a time. */
const each = async (count: number, work: (n: number) => Promise<unknown>) => {
  const left = Array.from({ length: count }, (_, n) => n).values()
  const lane = async () => {
    for (const n of left) await work(n)
  }
  await Promise.all([lane(), lane()])
}

const asked = async (request: Parameters<typeof api>[0], more: Parameters<typeof api>[1] = {}) => {
  const { status, body, text } = await api(request, more)
  assert.ok(status < 300, text)
  return body
}

const uploadInParts = async (count: number, mebibytes: number) => {
  const root = `/buckets/${bucket}/multipart`
  const { uploadId } = await asked(`POST ${root}/initiate`, { body: { objectKey: 'in-parts' } })
  const part = (n: number) => `${storage}${root}/${uploadId}/parts/${n + 1}`
  await each(count, (n) => streamUp(part(n), headers, mebibytes))
  await asked(`POST ${root}/${uploadId}/complete`, { body: {} })
}

const signed = (method: string, url: string) =>
  signedHeaders(key, { url, method, headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } })
const large = (n: number) => `${storage}${objects}/large-${n}`
const middle = (n: number) => `${storage}${objects}/middle-${n}`
const viaS3 = (n: number) => `${s3}/files/s3-${n}`

/** 384 MiB natively, 384 in parts, 128 by S3 and 128 as objects that are read as a whole. */
const uploads = async () => {
  await each(4, (n) => streamUp(large(n), headers, 96))
  await uploadInParts(24, 16)
  await each(2, (n) => streamUp(viaS3(n), signed('PUT', viaS3(n)), 64))
  await each(128, (n) => streamUp(middle(n), headers, 1))
}
const downloads = async () => {
  await each(4, (n) => streamDown(large(n), headers, 96))
  await streamDown(`${storage}${objects}/in-parts`, headers, 24 * 16)
  await each(2, (n) => streamDown(viaS3(n), signed('GET', viaS3(n)), 64))
  await each(128, (n) => streamDown(middle(n), headers, 1))
}
const batches = () =>
  each(20, (batch) => {
    const data = Buffer.alloc(1000, 'b').toString('base64')
    const content = Array.from({ length: 100 }, (_, n) => ({ key: `batch-${batch}/${n}`, data }))
    return asked(`POST ${objects}/batch`, { body: { objects: content } })
  })
const lists = () => each(40, (n) => asked(`GET ${objects}?limit=500&offset=${n * 10}`))

test('1 GiB up and down, batches and lists', async (t) => {
  t.diagnostic(`before: ${inWords(await measure())}`)
  for (const [what, work] of Object.entries({ uploads, downloads, batches, lists })) {
    const peak = await peakOf(t, what, work)
    assert.ok(peak.all < most, `${what}: ${inWords(peak)}`)
  }
})

test('100 downloads that nobody reads and 400 pipelined requests', async (t) => {
  // A download of an object that is known to be intact, of one that is not yet, of several blobs, and from memory.
  await streamUp(`${storage}${objects}/fresh`, headers, 64)
  const paths = ['large-0', 'fresh', 'in-parts', 'middle-0']
  const before = await measure()
  t.diagnostic(`before: ${inWords(before)}`)
  const connect = async (path: string, times: number) => {
    const socket = await rawConnection(storage)
    socket.pause()
    socket.write(headOf(`GET ${objects}/${path}`, headers).repeat(times))
    return socket
  }
  const opening = [
    ...Array.from({ length: 100 }, (_, n) => connect(paths[n % 4]!, 1)),
    ...Array.from({ length: 10 }, () => connect('middle-0', 40)),
  ]
  const sockets = await Promise.all(opening)
  const during = await peakOf(t, 'unread', () => sleep(5_000))
  const allowed = before.process + sockets.length * perConnection + noise
  assert.ok(during.process < allowed, `${inWords(during)}; at most ${Math.round(allowed)} for the server`)
  for (const socket of sockets) socket.destroy()
  const back = async () => {
    const after = await measure()
    assert.ok(after.process < before.process + noise, `${inWords(after)} instead of ${inWords(before)}`)
    t.diagnostic(`after: ${inWords(after)}`)
  }
  await eventually(back, { withinMs: 20_000, everyMs: 500 })
  await server.stop()
})

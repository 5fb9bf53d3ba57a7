import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '#test/support/cleanup.ts'
import { client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { publisher, storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { serveProcess } from './fixtures/trivet-process.ts'
import { ownConnection, workersOf } from './fixtures/workers.ts'

const timeout = 120_000
const workers = 4
const dataDir = await temporaryFolder('workers')
const server = await serveProcess({
  TRIVET_DATA: dataDir,
  TRIVET_SERVICES: 'storage,publishing',
  TRIVET_WORKERS: String(workers),
  RATE_LIMITS: 'on',
  // So that each test can have addresses of its own.
  TRUST_PROXY: '1',
  DRAIN_SECONDS: '0',
})
cleanUp(() => server.stop())
const { storage: storageUrl, publishing: publishingUrl } = server.urls

let addresses = 0
const fromElsewhere = () => ({
  'x-forwarded-for': `10.1.${++addresses >> 8}.${addresses & 255}`,
  'x-forwarded-proto': 'https',
})
const storage = client(storageUrl, fromElsewhere())
const publishing = client(publishingUrl, fromElsewhere())

/** The numbers of the workers that have logged requests to a path. */
const servedBy = (path: string) =>
  new Set(server.lines.filter(({ url }) => String(url).startsWith(path)).map(({ worker }) => worker))

/** As many connections as are needed to reach several workers, whichever accepts them. */
const connections = (base: string, headers: Record<string, string>, count = 24) => {
  const opened = Array.from({ length: count }, () => ownConnection(base, headers))
  cleanUp(async () => {
    for (const connection of opened) connection.close()
  })
  return opened
}

test('the line "serving" is logged once, with the number of workers, and the requests with the worker that served them', {
  timeout,
}, async () => {
  const lines = server.lines.filter(({ msg }) => msg === 'serving')
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.workers, workers)
  assert.equal((await workersOf(server.pid)).length, workers)
  await Promise.all(connections(storageUrl, fromElsewhere()).map((send) => send('GET /where-am-i')))
  await until('all requests are logged', () => [...servedBy('/where-am-i')].length > 1)
  for (const worker of servedBy('/where-am-i')) assert.ok(Number(worker) >= 1 && Number(worker) <= workers)
})

test('a rate limit is exact over four workers: of 560 requests 500 are allowed, whichever worker they reach', {
  timeout,
}, async () => {
  const address = fromElsewhere()
  const senders = connections(publishingUrl, address, 28)
  const replies = (
    await Promise.all(
      senders.map(async (send) => {
        const own = []
        for (let n = 0; n < 20; n++) own.push(await send('GET /api/posts/999999?limit-test'))
        return own
      }),
    )
  ).flat()
  const refused = replies.filter(({ status }) => status === 429)
  assert.equal(replies.length, 560)
  assert.equal(refused.length, 60)
  const remaining = replies
    .filter(({ status }) => status !== 429)
    .map(({ headers }) => Number(headers['ratelimit-remaining']))
  assert.deepEqual(
    remaining.sort((a, b) => a - b),
    Array.from({ length: 500 }, (_, n) => n),
  )
  await until('the requests are logged', () => servedBy('/api/posts/999999?limit-test').size > 1)
})

test('a changed profile is seen on every connection as soon as the change is answered', {
  timeout,
}, async () => {
  const { api, handle, token } = await publisher({ publishing })
  const readers = connections(publishingUrl, fromElsewhere(), 16)
  const path = `/api/users/${handle}`
  const writers = connections(publishingUrl, { ...fromElsewhere(), authorization: `Bearer ${token}` }, 4)
  assert.equal((await api(`GET ${path}`)).status, 200)
  for (let n = 0; n < 25; n++) {
    const write = writers[n % writers.length] as (typeof writers)[number]
    const { status, text } = await write('PATCH /api/users/me', { body: { bio: `version ${n}` } })
    assert.equal(status, 200, text)
    const replies = await Promise.all(readers.map((send) => send(`GET ${path}`)))
    for (const reply of replies) assert.match(reply.text, new RegExp(`version ${n}"`))
  }
  await until('several workers have read', () => servedBy(path).size > 1)
})

test('a worker that is stopped while a profile changes delays nobody, and responds with the change when it goes on', {
  timeout,
}, async () => {
  const { handle, token } = await publisher({ publishing })
  const readers = connections(publishingUrl, fromElsewhere(), 16)
  const readAll = () => Promise.all(readers.map((send) => send(`GET /api/users/${handle}`)))
  const [stopped] = await workersOf(server.pid)
  for (let n = 0; n < 5; n++) {
    await readAll()
    process.kill(stopped as number, 'SIGSTOP')
    try {
      // Only the other workers accept a new connection now.
      const write = ownConnection(publishingUrl, { ...fromElsewhere(), authorization: `Bearer ${token}` })
      const { status, text } = await write('PATCH /api/users/me', { body: { bio: `version ${n}` } })
      write.close()
      assert.equal(status, 200, text)
      const replies = readAll()
      process.kill(stopped as number, 'SIGCONT')
      for (const reply of await replies) assert.match(reply.text, new RegExp(`version ${n}"`))
    } finally {
      process.kill(stopped as number, 'SIGCONT')
    }
  }
})

test('a revoked API key is refused on every connection as soon as the revocation is answered', {
  timeout,
}, async () => {
  const { api } = await storageOwner({ storage })
  const { body: key } = await api('POST /auth/api-keys', { body: { label: 'x' } })
  const senders = connections(storageUrl, { ...fromElsewhere(), 'x-api-key': key.key }, 16)
  const statuses = async () =>
    new Set((await Promise.all(senders.map((send) => send('GET /buckets')))).map(({ status }) => status))
  assert.deepEqual(await statuses(), new Set([200]))
  assert.equal((await api(`DELETE /auth/api-keys/${key.id}`)).status, 200)
  assert.deepEqual(await statuses(), new Set([401]))
})

test('a job that any worker sends is run once and at once: each mail is sent one time', {
  timeout,
}, async () => {
  const emails = []
  for (let n = 0; n < 8; n++)
    emails.push((await storageOwner({ storage: client(storageUrl, fromElsewhere()) })).email)
  const started = performance.now()
  await Promise.all(
    emails.map((email) =>
      ownConnection(storageUrl, fromElsewhere())('POST /auth/forgot-password', { body: { email } }),
    ),
  )
  const outbox = join(dataDir, 'outbox')
  await until('all mails are written', async () => (await readdir(outbox)).length >= emails.length, {
    everyMs: 50,
  })
  const seconds = (performance.now() - started) / 1000
  assert.equal((await readdir(outbox)).length, emails.length)
  // Each is fetched right after the one before, not at the next poll in five seconds.
  assert.ok(seconds < 20, `${seconds} s`)
})

test('the metrics of any worker are those of all, and counters do not go back when a worker is killed', {
  timeout,
}, async () => {
  const senders = connections(storageUrl, fromElsewhere())
  const answered = async (send = senders[0]!) =>
    (await send('GET /metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('trivet_http_request_seconds_count'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  const before = await answered()
  await Promise.all(senders.map((send) => send('GET /buckets')))
  // A worker renders its metrics once for all who ask within a moment.
  for (const send of senders)
    await until('all requests are counted', async () => (await answered(send)) === before + senders.length)

  const [victim] = await workersOf(server.pid)
  process.kill(victim as number, 'SIGKILL')
  await until('another serves in its place', () => server.lines.some(({ msg }) => msg === 'worker serves'))
  const survivor = ownConnection(storageUrl, fromElsewhere())
  assert.ok((await answered(survivor)) >= before + senders.length)
  survivor.close()
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { requestsInFlight } from '#test/support/metrics.ts'
import { isRunning, postmasterPid } from '#test/support/postmaster.ts'
import { headOf, rawConnection } from '#test/support/sockets.ts'
import { serveProcess } from './fixtures/trivet-process.ts'
import { ownConnection, workersOf } from './fixtures/workers.ts'

const timeout = 120_000
const workers = '3'

// One for all tests, because creating a database takes longest.
const dataDir = await temporaryFolder('workers')

const serve = async (env: Record<string, string> = {}) => {
  const server = await serveProcess({
    TRIVET_DATA: dataDir,
    TRIVET_SERVICES: 'storage',
    TRIVET_WORKERS: workers,
    ...env,
  })
  return { ...server, storage: client(server.urls.storage) }
}

test('kill -9 of one worker after another under load: what was answered is kept, and only connections to it fail', {
  timeout,
}, async (t) => {
  const server = await serve()
  t.after(() => server.stop())
  const { token } = await storageOwner(server)
  const answered: { name: string; id: string }[] = []
  const failed: { lastId: string | undefined; code: unknown }[] = []
  const running = { isOver: false }
  const writer = async (own: number) => {
    const send = ownConnection(server.urls.storage, { authorization: `Bearer ${token}` })
    let lastId: string | undefined
    for (let n = 0; !running.isOver; n++) {
      const name = `bucket-${own}-${n}`
      try {
        const { status, headers, text } = await send('POST /buckets', { body: { name } })
        assert.equal(status, 201, text)
        lastId = String(headers['x-request-id'])
        answered.push({ name, id: lastId })
        // Workers that start need the processor, too.
        await sleep(20)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        failed.push({ lastId, code: (error as NodeJS.ErrnoException).code })
        lastId = undefined
      }
    }
    send.close()
  }
  const writers = Array.from({ length: 12 }, (_, own) => writer(own))

  const workerOf = (id: string | undefined) => server.lines.find(({ reqId }) => reqId === id)?.worker
  const replacements = () => server.lines.filter(({ msg }) => msg === 'worker serves')
  const original = await workersOf(server.pid)
  for (const victim of original) {
    const before = answered.length
    await until('50 more are answered', () => answered.length > before + 50)
    const replaced = replacements().length
    process.kill(victim, 'SIGKILL')
    await until('another serves in its place', () => replacements().length > replaced)
  }
  const before = answered.length
  await until('50 more are answered', () => answered.length > before + 50)
  running.isOver = true
  await Promise.all(writers)

  const ends = server.lines.filter(({ msg }) => msg === 'worker ended, another takes its place')
  assert.deepEqual(new Set(ends.map(({ worker }) => worker)), new Set([1, 2, 3]))
  assert.ok(failed.length <= 12 * original.length, failed.map(({ code }) => code).join())
  // The log of a killed worker ends a moment before it does, so the last requests of a connection may be missing in it.
  for (const { lastId } of failed) {
    const worker = workerOf(lastId)
    if (worker !== undefined) assert.ok(ends.some((end) => end.worker === worker))
  }
  const { body } = await server.storage.bearer(token)('GET /buckets')
  const kept = new Set(body.map(({ name }: { name: string }) => name))
  assert.deepEqual(
    answered.filter(({ name }) => !kept.has(name)),
    [],
  )
})

test('SIGTERM lets uploads in flight on all workers finish, then stops the workers and PostgreSQL', {
  timeout,
}, async () => {
  const server = await serve({ TRUST_PROXY: '1', DRAIN_SECONDS: '2' })
  const { api, token } = await storageOwner({
    storage: server.storage.with({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.1' }),
  })
  const { body: bucket } = await api('POST /buckets', { body: { name: 'uploads' } })
  const pids = await workersOf(server.pid)
  const pid = await postmasterPid(dataDir)
  const body = 'x'.repeat(100_000)
  const uploads = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const socket = await rawConnection(server.urls.storage)
      const head = headOf(`PUT /buckets/${bucket.id}/objects/${n}`, {
        authorization: `Bearer ${token}`,
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '10.0.0.1',
        'content-type': 'text/plain',
        'content-length': body.length,
      })
      socket.write(head + body.slice(0, 50_000))
      return socket
    }),
  )
  await until('12 uploads are in flight', async () => (await requestsInFlight(server.storage)) === 12)
  process.kill(server.pid, 'SIGTERM')
  const readiness = async () => (await fetch(`${server.urls.storage}/readyz`)).status
  await until('it reports that it is not ready', async () => (await readiness()) === 503)
  const replies = uploads.map((socket) => once(socket, 'data') as Promise<[Buffer]>)
  for (const socket of uploads) socket.write(body.slice(50_000))
  for (const [chunk] of await Promise.all(replies)) assert.match(chunk.toString(), /^HTTP\/1.1 20[01] /)
  const [code] = await server.exited
  assert.equal(code, 0)
  assert.deepEqual(
    server.lines.filter(({ msg }) => ['draining', 'stopped'].includes(msg)).map(({ msg }) => msg),
    ['draining', 'stopped'],
  )
  await until('all have ended', () => ![...pids, pid].some(isRunning))
})

test('kill -9 of the primary process ends its workers, and the next start takes over its PostgreSQL and ports', {
  timeout,
}, async (t) => {
  const first = await serve()
  const { token } = await storageOwner(first)
  const api = first.storage.bearer(token)
  assert.equal((await api('POST /buckets', { body: { name: 'kept' } })).status, 201)
  const pids = await workersOf(first.pid)
  const pid = await postmasterPid(dataDir)
  await first.stop('SIGKILL')
  await until('all workers have ended', () => pids.every((worker) => !isRunning(worker)))
  assert.ok(isRunning(pid))

  const { port } = new URL(first.urls.storage)
  const second = await serve({ STORAGE_PORT: port })
  t.after(() => second.stop())
  assert.equal(await postmasterPid(dataDir), pid)
  const { body } = await second.storage.bearer(token)('GET /buckets')
  assert.deepEqual(
    body.map(({ name }: { name: string }) => name),
    ['kept'],
  )
})

test('when all workers are killed at once, others serve on the same port', { timeout }, async (t) => {
  const server = await serve()
  t.after(() => server.stop())
  for (const pid of await workersOf(server.pid)) process.kill(pid, 'SIGKILL')
  await until('it is ready again', () =>
    fetch(`${server.urls.storage}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  await until('all are replaced', async () => (await workersOf(server.pid)).length === Number(workers))
})

test('a worker that cannot start makes the start fail like that of a single process: exit code 1 and the same error', {
  timeout,
}, async (t) => {
  const TLS_CERT = join(dataDir, 'no-certificate')
  await writeFile(TLS_CERT, 'This is no certificate.')
  t.after(() => rm(TLS_CERT))
  const broken = { TLS_CERT, TLS_KEY: TLS_CERT }
  const problem = /serve ended with code 1: .*no start line/s
  await assert.rejects(serve({ ...broken, TRIVET_WORKERS: '1' }), problem)
  await assert.rejects(serve(broken), problem)
  await until('PostgreSQL has stopped', () =>
    postmasterPid(dataDir).then(
      () => false,
      () => true,
    ),
  )
})

test('a number of workers that cannot be used is refused with one line', { timeout }, async () => {
  await assert.rejects(
    serve({ TRIVET_WORKERS: 'many' }),
    /code 1: trivet: TRIVET_WORKERS must be auto or a whole number from 1 to 64, not "many"\n$/,
  )
})

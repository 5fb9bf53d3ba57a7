import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '#test/support/client.ts'
import { until } from '#test/support/eventually.ts'
import { inventoryAdmin, storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { isRunning, postmasterPid } from '#test/support/postmaster.ts'
import { holdSignIns } from './fixtures/held-requests.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

test('after kill -9 the next start has everything that was acknowledged, without a repair', {
  timeout: 180_000,
}, async (t) => {
  const dataDir = await temporaryFolder('system')
  const first = await serveProcess({ TRIVET_DATA: dataDir })
  const storage = client(first.urls.storage)
  const { token } = await storageOwner({ storage })
  const answered: string[] = []
  let sent = 0
  const writers = Array.from({ length: 6 }, async () => {
    for (;;) {
      const name = `bucket-${sent++}`
      const answer = await storage
        .bearer(token)('POST /buckets', { body: { name } })
        .catch(() => null)
      if (!answer) return
      if (answer.status === 201) answered.push(name)
    }
  })
  await until('100 buckets are answered', () => answered.length >= 100)
  await first.stop('SIGKILL')
  await Promise.all(writers)

  const second = await serveProcess({ TRIVET_DATA: dataDir })
  t.after(() => second.stop())
  const { body } = await client(second.urls.storage).bearer(token)('GET /buckets')
  const kept = new Set(body.map((bucket: { name: string }) => bucket.name))
  assert.deepEqual(
    answered.filter((name) => !kept.has(name)),
    [],
  )
  assert.ok(kept.size <= sent)
})

test('when the database is killed, requests get 503 at once until it has been restarted', {
  timeout: 180_000,
}, async (t) => {
  const dataDir = await temporaryFolder('system')
  const server = await serveProcess({ TRIVET_DATA: dataDir })
  t.after(() => server.stop())
  const inventory = client(server.urls.inventory)
  const { api } = await inventoryAdmin({ inventory })
  const before = await api('POST /api/warehouses', { body: { name: 'Before', code: 'B' } })
  assert.equal(before.status, 201)

  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  const statuses = new Set<number>()
  let slowest = 0
  for (;;) {
    const started = performance.now()
    const { status } = await api('GET /api/warehouses')
    slowest = Math.max(slowest, performance.now() - started)
    statuses.add(status)
    if (status === 200 && statuses.has(503)) break
    if (status === 503) assert.notEqual((await inventory('GET /healthz')).status, 503)
    await sleep(5)
  }
  assert.deepEqual(
    [...statuses].filter((status) => status !== 200 && status !== 503),
    [],
  )
  assert.ok(slowest < 15_000, `a request hung for ${slowest} ms`)
  const list = await api('GET /api/warehouses')
  assert.equal(list.body.warehouses.length, 2)
  assert.equal((await inventory('GET /readyz')).status, 200)
})

test('SIGTERM lets requests in flight finish and then stops the database', {
  timeout: 180_000,
}, async () => {
  const dataDir = await temporaryFolder('system')
  const server = await serveProcess({ TRIVET_DATA: dataDir })
  const storage = client(server.urls.storage)
  const { email } = await storageOwner({ storage })
  const pid = await postmasterPid(dataDir)
  const finish = await holdSignIns(server.urls.storage, email)
  const stopped = server.stop('SIGTERM')
  await until('the server is draining', () => server.lines.at(-1)?.msg === 'draining')
  await finish()
  const { code, errors } = await stopped
  assert.equal(code, 0, errors)
  await until('PostgreSQL has stopped', () => !isRunning(pid))
  assert.equal(server.lines.at(-1)?.msg, 'stopped')
})

test('a second server on the same data folder is refused with one line', { timeout: 180_000 }, async (t) => {
  const dataDir = await temporaryFolder('system')
  const server = await serveProcess({ TRIVET_DATA: dataDir })
  t.after(() => server.stop())
  await assert.rejects(
    serveProcess({ TRIVET_DATA: dataDir }),
    /code 1: trivet: Another Trivet already serves [^\n]+\n$/,
  )
})

test('an invalid setting prevents the start with one line that names it', { timeout: 180_000 }, async () => {
  await assert.rejects(
    serveProcess({ STORAGE_PORT: 'many' }),
    /code 1: trivet: STORAGE_PORT must be a port number[^\n]+\n$/,
  )
})

test('no log line contains a secret', { timeout: 180_000 }, async () => {
  const dataDir = await temporaryFolder('system')
  const server = await serveProcess({ TRIVET_DATA: dataDir, LOG_LEVEL: 'trace' })
  const storage = client(server.urls.storage)
  const { api, token, email } = await storageOwner({ storage })
  const { body } = await api('POST /auth/api-keys', { body: { label: 'x' } })
  await storage.with({ 'x-api-key': body.key })('GET /buckets?token=topsecret&signature=abcdef')
  await storage('POST /auth/login', { body: { email, password: 'not my password' } })
  const { errors } = await server.stop()
  const log = JSON.stringify(server.lines) + errors
  for (const secret of [
    token,
    body.key,
    body.secretKey,
    'correct horse',
    'not my password',
    'topsecret',
    'abcdef',
  ])
    assert.ok(!log.includes(secret), `the log shows ${secret.slice(0, 6)}…`)
  assert.ok(log.includes('/buckets?token=***'))
})

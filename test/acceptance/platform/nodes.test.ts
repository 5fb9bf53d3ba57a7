import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'

const one = await boot()
const other = await boot({ database: { url: one.databaseUrl } })

test('a revoked API key is refused by the next request, and by other nodes within a second', async () => {
  const { api } = await storageOwner(one)
  for (let round = 0; round < 5; round++) {
    const { body: key } = await api('POST /auth/api-keys', { body: { label: 'x' } })
    const here = one.storage.with({ 'x-api-key': key.key })
    const there = other.storage.with({ 'x-api-key': key.accessKey, 'x-api-secret': key.secretKey })
    assert.equal((await here('GET /buckets')).status, 200)
    assert.equal((await there('GET /buckets')).status, 200)
    assert.equal((await api(`DELETE /auth/api-keys/${key.id}`)).status, 200)
    assert.equal((await here('GET /buckets')).status, 401)
    await until('the other node refuses the key', async () => (await there('GET /buckets')).status === 401, {
      withinMs: 1_000,
    })
  }
})

test('a read that runs during the revocation of an API key does not cache the old state', async () => {
  const { api } = await storageOwner(one)
  const { body: key } = await api('POST /auth/api-keys', { body: { label: 'x' } })
  const here = one.storage.with({ 'x-api-key': key.key })
  let revoked = false
  const reads = Array.from({ length: 8 }, async () => {
    for (let n = 0; n < 20; n++) {
      const before = revoked
      const { status } = await here('GET /buckets')
      if (before) assert.equal(status, 401)
    }
  })
  await api(`DELETE /auth/api-keys/${key.id}`)
  revoked = true
  await Promise.all(reads)
})

test('a node that receives no signals stops using its caches and keeps serving', async (t) => {
  const { api } = await storageOwner(one)
  const { body: key } = await api('POST /auth/api-keys', { body: { label: 'x' } })
  const there = other.storage.with({ 'x-api-key': key.key })
  assert.equal((await there('GET /buckets')).status, 200)
  const watchers = await one.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'trivet signals'`
  assert.equal(watchers.length, 2)
  const signalAll = (signal: string) => {
    for (const { pid } of watchers) process.kill(pid, signal)
  }
  signalAll('SIGSTOP')
  t.after(() => signalAll('SIGCONT'))
  await api(`DELETE /auth/api-keys/${key.id}`)
  await until('the other node refuses the key', async () => (await there('GET /buckets')).status === 401, {
    withinMs: 1_500,
  })
  // Two seconds without a heartbeat: a database that responds on other connections is not lost.
  for (let n = 0; n < 10; n++) {
    assert.equal((await other.storage('GET /readyz')).status, 200)
    await sleep(200)
  }
})

test('unknown and malformed API keys get 401', async () => {
  const { api } = await storageOwner(one)
  const { body: key } = await api('POST /auth/api-keys', { body: {} })
  for (const headers of [
    { 'x-api-key': 'obj_nothing' },
    { 'x-api-key': `${key.key}x` },
    { 'x-api-key': key.accessKey },
    { 'x-api-key': key.accessKey, 'x-api-secret': 'wrong' },
    { 'x-api-key': '' },
    { 'x-api-secret': key.secretKey },
  ])
    assert.equal(
      (await one.storage.with(headers as Record<string, string>)('GET /buckets')).status,
      401,
      JSON.stringify(headers),
    )
})

test('nodes that start at the same time on an empty database migrate it once', async (t) => {
  const nodes = await Promise.all([
    boot({ t, database: { url: one.databaseUrl } }),
    boot({ t, database: { url: one.databaseUrl } }),
  ])
  for (const node of nodes) assert.equal((await node.storage('GET /readyz')).status, 200)
})

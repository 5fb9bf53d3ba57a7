import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { openPlatform } from '#platform/platform.ts'
import { migrations } from '#src/services.ts'
import { storage } from '#storage/app.ts'
import { cleanUp } from '#test/support/cleanup.ts'
import { client } from '#test/support/client.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { until } from '#test/support/eventually.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { temporaryFolder } from '#test/support/folders.ts'
import { freePort } from '#test/support/postgres.ts'
import { storageWorkload } from './fixtures/storage-workload.ts'
import { serveProcess } from './fixtures/trivet-process.ts'

const rounds = 4
const workers = 6

const dataDir = await temporaryFolder('crash')
const database = await freshDatabase()
cleanUp(() => database.drop())
const env = {
  TRIVET_DATA: dataDir,
  DATABASE_URL: database.url,
  TRIVET_SERVICES: 'storage',
  TRIVET_SECRET: 'a secret for tests only',
  // The same in every round, so that clients find the server again.
  STORAGE_PORT: String(await freePort()),
}
let server = await serveProcess(env)
cleanUp(() => server.stop('SIGKILL'))

const { api, token, email } = await storageOwner({ storage: client(server.urls.storage) })
const { body: bucket } = await api('POST /buckets', { body: { name: 'crash', versioningEnabled: false } })
const root = `/buckets/${bucket.id}`

const read = async (key: string) => {
  const response = await fetch(`${server.urls.storage}${root}/objects/${key}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.ok(response.status === 200 || response.status === 404, `${key}: ${response.status}`)
  return response.status === 200 ? bytes : null
}
let cookie = ''
const openSession = async () => {
  const { headers } = await client(server.urls.storage)('POST /auth/session', { body: { email, password } })
  return String(headers.get('set-cookie')).split(';')[0]!
}

const workload = storageWorkload(api, root, read)

for (let round = 1; round <= rounds; round++)
  test(`storage, kill -9 number ${round} of ${rounds} under load`, async (t) => {
    await t.test('the server is killed while it handles uploads and deletes, and starts again', async () => {
      const working = Promise.all(Array.from({ length: workers }, (_, n) => workload.work(n)))
      const enough = workload.acknowledged + 5
      await Promise.race([
        working,
        until('5 changes are acknowledged', () => workload.acknowledged >= enough),
      ])
      await sleep(Math.random() * 700) // a random moment
      cookie = await openSession()
      await server.stop('SIGKILL')
      await working
      server = await serveProcess(env)
    })
    await t.test('a session of the console that was opened just before is still there', async () => {
      const response = await fetch(`${server.urls.storage}/auth/me`, {
        headers: { cookie, 'x-trivet-console': '1' },
      })
      assert.equal(response.status, 200)
    })
    await t.test('every object is what was last acknowledged, or what was sent after that', () =>
      workload.checkObjects(),
    )
    await t.test(
      'every part of an open upload is what was acknowledged, and the upload can be completed',
      () => workload.checkUploads(),
    )
  })

test('storage: verify finds nothing wrong after all crashes', async () => {
  const platform = await openPlatform({
    config: readConfig(env, dataDir),
    clock: systemClock,
    log: createLogger({ level: 'fatal', pretty: true }),
    purpose: 'operator',
    migrations,
  })
  try {
    assert.deepEqual(await storage.verify(storage.context(platform)), [])
  } finally {
    await platform.close()
  }
})

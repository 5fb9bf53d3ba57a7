import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { headOf, rawConnection, untilClosed } from '#test/support/sockets.ts'

const idleMs = 200
const system = await boot({ http: { idleMs } })

test('a request that takes the server longer than a connection may be idle gets its response', async () => {
  const { api } = await storageOwner(system)
  const { id } = (await api('POST /buckets', { body: { name: 'slow' } })).body
  const held = await hold(system, (tx) => tx`select from storage.buckets where id = ${id} for update`)
  const changed = api(`PATCH /buckets/${id}`, { body: { visibility: 'public' } })
  await waitingForLocks(system, 1)
  await sleep(4 * idleMs)
  await held.release()
  assert.equal((await changed).status, 200)
})

test('a connection on which nothing moves is closed, also after a response', async () => {
  const silent = await rawConnection(system.urls.storage)
  assert.equal(await untilClosed(silent), '')
  const used = await rawConnection(system.urls.storage)
  used.write(headOf('GET /healthz', {}))
  assert.match(await untilClosed(used), /^HTTP\/1\.1 200 /)
})

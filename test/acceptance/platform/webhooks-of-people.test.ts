import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { eventually } from '#test/support/eventually.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { addMember, createBucket } from '#test/support/storage.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })

type Team = {
  /** The one who stays, and the one whose right ends. */
  stays: Client
  leaves: { api: Client; name: string }
  path: string
  happen(): Promise<unknown>
  demote(): Promise<unknown>
  entries(): Promise<{ action: string; payload?: { host: string }; details?: { host: string } }[]>
}

const ofStorage = async (): Promise<Team> => {
  const owner = await storageOwner(system)
  const admin = await addMember(system, owner.api, 'admin')
  let count = 0
  return {
    stays: owner.api,
    leaves: { api: admin.api, name: 'Some Body' },
    path: '/webhooks',
    happen: () => createBucket(owner.api, `bucket-${++count}`),
    demote: () => owner.api(`PATCH /members/${admin.id}`, { body: { role: 'member' } }),
    entries: async () => (await owner.api('GET /audit-logs?limit=200')).body.rows,
  }
}

const ofInventory = async (): Promise<Team> => {
  const { api } = await inventoryAdmin(system)
  const email = `second-${crypto.randomUUID()}@example.com`
  const { id } = (await api('POST /api/users', { body: { name: 'Sam', email, password, role: 'Admin' } }))
    .body
  const { token } = (await system.inventory('POST /api/auth/login', { body: { email, password } })).body
  let count = 0
  return {
    stays: api,
    leaves: { api: system.inventory.bearer(token), name: 'Sam' },
    path: '/api/webhooks',
    happen: () =>
      api('POST /api/products', { body: { name: 'Mug', sku: `S${++count}`, base_price: '1.00' } }),
    demote: () => api(`PATCH /api/users/${id}`, { body: { is_banned: true } }),
    entries: async () => (await api('GET /api/audit-logs?limit=200')).body.audit_logs,
  }
}

for (const [service, team] of [
  ['storage', ofStorage],
  ['inventory', ofInventory],
] as const) {
  test(`${service}: whatever somebody does with a webhook is in the audit log, with the host`, async (t) => {
    const { stays: api, path, entries, happen } = await team()
    const [one, other] = [await startReceiver(t), await startReceiver(t)]
    const { id } = (await api(`POST ${path}`, { body: { url: one.url } })).body
    const hook = `${path}/${id}`
    await api(`PATCH ${hook}`, { body: { url: other.url } })
    await api(`POST ${hook}/rotate`)
    await api(`POST ${hook}/test`)
    await happen()
    const [message] = await other.until(2)
    const { deliveries } = await eventually(async () => {
      const { body } = await api(`GET ${hook}/deliveries?status=succeeded`)
      assert.equal(body.deliveries.length, 1)
      return body
    })
    assert.equal((await api(`POST ${hook}/deliveries/${deliveries[0].id}/retry`)).status, 202)
    assert.ok(message)
    const after = deliveries[0].event_id
    assert.equal((await api(`POST ${hook}/replay`, { body: { after } })).status, 202)
    await api(`DELETE ${hook}`)
    assert.equal((await api(`PATCH ${hook}`, { body: { url: one.url } })).status, 404)

    const ofWebhooks = (await entries()).filter(({ action }) => action.startsWith('webhook.')).reverse()
    const hosts = [new URL(one.url).host, ...Array(6).fill(new URL(other.url).host)]
    assert.deepEqual(
      ofWebhooks.map((entry) => [entry.action, (entry.payload ?? entry.details)?.host]),
      ['created', 'updated', 'secret_rotated', 'tested', 'redelivered', 'replayed', 'deleted'].map(
        (deed, n) => [`webhook.${deed}`, hosts[n]],
      ),
    )
  })

  test(`${service}: the webhooks of somebody who may no longer manage them stop, and another takes them over`, async (t) => {
    const { stays, leaves, path, happen, demote, entries } = await team()
    const receiver = await startReceiver(t)
    const { id, created_by } = (await leaves.api(`POST ${path}`, { body: { url: receiver.url } })).body
    assert.equal(created_by.name, leaves.name)
    const own = (await stays(`POST ${path}`, { body: { url: (await startReceiver(t)).url } })).body
    // Whoever directs a webhook elsewhere answers for it from then on.
    const directed = (await stays(`POST ${path}`, { body: { url: (await startReceiver(t)).url } })).body
    await leaves.api(`PATCH ${path}/${directed.id}`, { body: { url: receiver.url } })
    await happen()
    await receiver.until(2)

    await demote()
    const read = async (webhook: string) => (await stays(`GET ${path}/${webhook}`)).body
    for (const stopped of [id, directed.id]) {
      const { is_active, switched_off } = await read(stopped)
      assert.equal(is_active, false)
      assert.match(switched_off, new RegExp(leaves.name))
    }
    assert.equal((await read(own.id)).is_active, true)
    const count = receiver.received.length
    await happen()
    const stops = (await entries()).filter(({ action }) => action === 'webhook.switched_off')
    assert.equal(stops.length, 2)
    await eventually(async () =>
      assert.equal((await stays(`GET ${path}/${own.id}/deliveries?status=succeeded`)).body.total >= 2, true),
    )
    assert.equal(receiver.received.length, count, 'nothing more is sent')

    const again = (await stays(`PATCH ${path}/${id}`, { body: { is_active: true } })).body
    assert.deepEqual([again.is_active, again.switched_off], [true, null])
    assert.notEqual(again.created_by.name, leaves.name)
    await happen()
    await receiver.until(count + 1)
  })
}

test('storage: the webhooks of a member who is removed stop', async (t) => {
  const owner = await storageOwner(system)
  const admin = await addMember(system, owner.api, 'admin')
  const { url } = await startReceiver(t)
  const key = (await admin.api('POST /auth/api-keys', { body: {} })).body.key
  const byKey = system.storage.with({ 'x-api-key': key })
  const { id } = (await byKey('POST /webhooks', { body: { url } })).body
  await owner.api(`DELETE /members/${admin.id}`)
  const { is_active, switched_off, created_by } = (await owner.api(`GET /webhooks/${id}`)).body
  assert.deepEqual([is_active, created_by.name], [false, 'Some Body'])
  assert.match(switched_off, /Some Body, whose webhook it was, was removed/)
})

test('inventory: a ban by the operator stops webhooks, too', async (t) => {
  const { api, email } = await inventoryAdmin(system)
  const second = { name: 'Sam', email: `second-${crypto.randomUUID()}@example.com`, password, role: 'Admin' }
  await api('POST /api/users', { body: second })
  const { token } = (await system.inventory('POST /api/auth/login', { body: { ...second } })).body
  const { id } = (await api('POST /api/webhooks', { body: { url: (await startReceiver(t)).url } })).body
  const banned = await operatorOf(system)('inventory', 'ban', '--email', email)
  assert.equal(banned.code, 0, banned.text)
  assert.equal((await system.inventory.bearer(token)(`GET /api/webhooks/${id}`)).body.is_active, false)
})

test('publishing: an account has one person, who is not named', async (t) => {
  const { api } = await publisher(system)
  const made = await api('POST /api/webhooks', { body: { url: (await startReceiver(t)).url } })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.data.created_by, null, made.text)
})

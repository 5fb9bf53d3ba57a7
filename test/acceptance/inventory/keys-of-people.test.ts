import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { shop } from './scene.ts'

const system = await boot()
const second = await boot({ database: { url: system.databaseUrl } })

const statusOf = async (api: Client) => (await api('GET /api/external/products')).status

/** Other nodes hear of a change within a second. */
const soon = async (api: Client, status: number) => {
  const deadline = performance.now() + 1000
  while ((await statusOf(api)) !== status) {
    assert.ok(performance.now() < deadline, `not ${status} after a second`)
    await sleep(10)
  }
}

test('an API key is refused on every node while its creator is banned, and works again afterwards', async () => {
  const s = await shop(system)
  const manager = await s.colleague('Manager')
  const made = await manager.api('POST /api/api-keys', {
    body: { name: 'Till', permissions: ['read', 'write'] },
  })
  assert.equal(made.status, 201)
  const own = await s.created('POST /api/api-keys', { name: 'Shop' })
  const here = system.inventory.with({ 'x-api-key': made.body.key })
  const there = second.inventory.with({ 'x-api-key': made.body.key })
  assert.deepEqual([await statusOf(here), await statusOf(there)], [200, 200])

  const setBan = (is_banned: boolean) => s.api(`PATCH /api/users/${manager.id}`, { body: { is_banned } })
  for (let round = 0; round < 3; round++) {
    assert.equal((await setBan(true)).status, 200)
    const refused = await here('GET /api/external/products')
    assert.equal(refused.status, 401)
    assert.match(refused.body.error, /banned/)
    const sync = [{ sku: 'X', warehouse_id: 1, quantity: 1 }]
    assert.equal((await here('POST /api/external/inventory/sync', { body: sync })).status, 401)
    await soon(there, 401)
    assert.equal(
      await statusOf(system.inventory.with({ 'x-api-key': own.key })),
      200,
      "another's key goes on",
    )
    assert.equal((await setBan(false)).status, 200)
    assert.equal(await statusOf(here), 200)
    await soon(there, 200)
  }
})

test('the list of API keys names their creators, and shows keys of banned users as inactive', async () => {
  const s = await shop(system)
  const manager = await s.colleague('Manager')
  await manager.api('POST /api/api-keys', { body: { name: 'Till' } })
  await s.created('POST /api/api-keys', { name: 'Shop' })
  const listed = async () =>
    (await s.api('GET /api/api-keys')).body.api_keys.map((key: Record<string, unknown>) => [
      key.name,
      key.created_by_name,
      key.is_active,
    ])
  const admin = (await s.api('GET /api/auth/me')).body.user
  assert.deepEqual(await listed(), [
    ['Till', manager.name, true],
    ['Shop', admin.name, true],
  ])
  await s.api(`PATCH /api/users/${manager.id}`, { body: { is_banned: true } })
  assert.deepEqual(await listed(), [
    ['Till', manager.name, false],
    ['Shop', admin.name, true],
  ])
})

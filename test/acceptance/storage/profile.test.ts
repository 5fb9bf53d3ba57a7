import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'

const system = await boot()
const { api, user, organization } = await storageOwner(system)
const person = { fullName: 'Ada Admin', email: 'ada@example.com', password, role: 'admin' }
const admin = (await api('POST /members', { body: person })).body
const { token } = (await system.storage('POST /auth/login', { body: person })).body
const asAdmin = system.storage.bearer(token)

test('everybody can change their own name, which members and events then show', async () => {
  const { status, body } = await asAdmin('PATCH /settings/profile', {
    body: { fullName: 'Ada <b>Lovelace</b>' },
  })
  assert.equal(status, 200)
  assert.equal(body.user.full_name, 'Ada <b>Lovelace</b>')
  assert.deepEqual(body, (await asAdmin('GET /auth/me')).body)
  const members = (await api('GET /members')).body as { id: string; full_name: string }[]
  assert.deepEqual(
    members.map(({ full_name }) => full_name),
    [user.full_name, 'Ada <b>Lovelace</b>'],
  )
  const { events } = (await api(`GET /events?types=member.updated&subject=member/${admin.id}`)).body
  assert.equal(events.at(-1).data.full_name, 'Ada <b>Lovelace</b>')
  assert.equal((await api(`GET /audit-logs?action=user.updated&actorUserId=${admin.id}`)).body.total, 1)
})

test('the owner renames the organization, and nobody else', async () => {
  const { status, body } = await api('PATCH /settings/organization', { body: { name: 'Quay & Co' } })
  assert.equal(status, 200)
  assert.deepEqual(body.organization, { ...organization, name: 'Quay & Co' })
  assert.equal((await asAdmin('PATCH /settings/organization', { body: { name: 'Mine now' } })).status, 403)
  assert.equal((await asAdmin('GET /auth/me')).body.organization.name, 'Quay & Co')
  assert.deepEqual((await api('GET /audit-logs?action=organization.updated')).body.rows[0].payload, {
    name: 'Quay & Co',
  })
})

test('names are as long as at registration', async () => {
  for (const [path, field, min] of [
    ['/settings/profile', 'fullName', 2],
    ['/settings/organization', 'name', 3],
  ] as const) {
    for (const length of [min, 255])
      assert.equal((await api(`PATCH ${path}`, { body: { [field]: 'x'.repeat(length) } })).status, 200)
    for (const value of ['x'.repeat(min - 1), 'x'.repeat(256), 7, null, 'a\u0000b', undefined]) {
      const { status, body } = await api(`PATCH ${path}`, { body: { [field]: value } })
      assert.equal(status, 400, `${field} ${value}`)
      assert.ok(body.message.startsWith(`${field} `), body.message)
    }
    assert.equal((await system.storage(`PATCH ${path}`, { body: { [field]: 'nobody' } })).status, 401)
  }
})

test('everybody is told the addresses for their clients, and nobody without credentials', async () => {
  const { status, body } = await asAdmin('GET /endpoints')
  assert.equal(status, 200)
  assert.deepEqual(body, { api_url: system.urls.storage, s3_url: system.urls.s3 })
  assert.equal((await fetch(body.s3_url)).status, 403, 'S3 is there')
  assert.equal((await system.storage('GET /endpoints')).status, 401)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { inventoryAdmin, password, publisher, storageOwner } from '#test/support/factories.ts'

type Schema = { $ref?: string; properties?: Record<string, Schema>; format?: string }
type Operation = {
  operationId: string
  security: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const system = await boot()
const { storage, publishing, inventory } = system

const owner = await storageOwner(system)
const [storageKey, publishingKey, inventoryKey] = await Promise.all([
  owner.api('POST /auth/api-keys', { body: {} }).then(({ body }) => body.key as string),
  publisher(system)
    .then(({ api }) => api('POST /api/developer/keys', { body: { name: 'Bot' } }))
    .then(({ body }) => body.data.key as string),
  inventoryAdmin(system)
    .then(({ api }) => api('POST /api/api-keys', { body: { name: 'Till', permissions: ['read', 'write'] } }))
    .then(({ body }) => body.key as string),
])

/** Operations that take a password but change nobody's way to sign in, or not that of the key's owner. */
const others: Record<string, string> = {
  addMember: 'creates an account for somebody else, as the owner may',
}

const isAboutSigningIn = (document: Document, path: string, { requestBody }: Operation) => {
  const { schema } = requestBody?.content['application/json'] ?? {}
  const name = schema?.$ref?.split('/').at(-1)
  const { properties = {} } = (name ? document.components.schemas[name] : schema) ?? {}
  return (
    /\/auth\/(?!api-keys|me$)|password|totp|session|email/.test(path) ||
    Object.values(properties).some(({ format }) => format === 'password')
  )
}

const operationsAboutSigningIn = (service: string) => {
  const file = new URL(`../../../docs/openapi/${service}.json`, import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !(operation.operationId in others))
      .filter(([, operation]) => isAboutSigningIn(document, path, operation))
      .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, ...operation })),
  )
}

const services: [name: string, api: Client, key: string, known: string[]][] = [
  ['storage', storage, storageKey, ['changePassword', 'getTotpStatus', 'setUpTotp', 'switchTotpOff', 'verifyTotp']],
  ['publishing', publishing, publishingKey, ['changeEmail', 'changePassword', 'deleteAccount', 'endOtherSessions', 'endSession', 'listSessions']],
  ['inventory', inventory, inventoryKey, ['changePassword', 'createUser']],
] // biome-ignore format: one line each

for (const [service, api, key, known] of services)
  test(`an API key of ${service} has no part in how a person signs in`, async () => {
    const operations = operationsAboutSigningIn(service)
    const guarded = operations.filter(({ security }) => security.length > 0)
    const found = new Set(guarded.map(({ operationId }) => operationId))
    for (const operationId of known) assert.ok(found.has(operationId), operationId)
    const withKey = api.with({ 'x-api-key': key })
    for (const { call, operationId, security } of operations) {
      assert.ok(
        security.every((scheme) => !('apiKey' in scheme)),
        `${operationId} is documented to accept keys`,
      )
      if (call.startsWith('GET') && security.length === 0) continue
      const [answer, bare] = [await withKey(call), await api(call)]
      // Without credentials at all, people prove who they are in the body: a key must make no difference there.
      if (security.length === 0) assert.equal(answer.status, bare.status, `${call}: ${answer.text}`)
      else assert.ok([401, 403].includes(answer.status), `${call}: ${answer.status} ${answer.text}`)
    }
  })

test('storage refuses a key with 403 in both forms, and the person still signs in as before', async () => {
  const withKey = storage.with({ 'x-api-key': storageKey })
  const refused = await withKey('POST /settings/totp/setup')
  assert.deepEqual([refused.status, refused.body.message], [403, 'Forbidden'])
  assert.match(refused.body.reason, /API key/)
  const inFormR = await withKey('POST /settings/totp/setup', { headers: { 'x-api-form': 'R' } })
  assert.deepEqual([inFormR.status, inFormR.body.error], [403, 'Forbidden'])
  const change = { currentPassword: password, newPassword: 'another one' }
  assert.equal((await withKey('PATCH /settings/password', { body: change })).status, 403)
  assert.equal((await withKey('DELETE /settings/totp', { body: { token: '123456' } })).status, 403)

  const { email } = owner
  assert.equal((await storage('POST /auth/login', { body: { email, password } })).status, 200)
  assert.equal((await owner.api('POST /settings/totp/setup')).status, 200)
  assert.equal((await withKey('PATCH /settings/profile', { body: { fullName: 'Mira Novak' } })).status, 200)
})

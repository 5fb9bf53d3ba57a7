import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const { storage } = system
const owner = await storageOwner(system)
const stranger = await storageOwner(system)
const bucketId = await createBucket(owner.api, 'words')
const foreignBucket = await createBucket(stranger.api, 'foreign')
const account = { fullName: 'Mo Member', email: `words-${process.pid}@example.com`, password, role: 'member' }
await owner.api('POST /members', { body: account })
const member = storage.bearer((await storage('POST /auth/login', { body: account })).body.token)

test('a 401 says whether credentials are missing, unknown, expired or of an ended session', async () => {
  const { body: key } = await owner.api('POST /auth/api-keys', { body: { label: 'soon revoked' } })
  await owner.api(`DELETE /auth/api-keys/${key.id}`)
  const other = await storageOwner(system)
  const newPassword = 'another horse'
  await other.api('PATCH /settings/password', { body: { currentPassword: password, newPassword } })
  const missing = 'Credentials are missing: send an API key as X-API-Key, or a token as Authorization: Bearer'
  const cases: [Record<string, string>, string][] = [
    [{}, missing],
    [{ authorization: 'Basic YTpi' }, 'Authorization must be the word Bearer, a space and a token'],
    [{ authorization: 'Bearer nonsense' }, 'This token is not valid'],
    [{ authorization: `Bearer ${other.token}` }, 'The session of this token has ended: sign in again'],
    [{ 'x-api-key': 'obj_nonsense' }, 'This API key is unknown or revoked'],
    [{ 'x-api-key': key.key }, 'This API key is unknown or revoked'],
  ]
  for (const [headers, reason] of cases) {
    const { status, body, headers: sent } = await storage('GET /auth/me', { headers })
    assert.deepEqual(
      [status, body.message, body.reason, body.code],
      [401, 'Unauthorized', reason, 'unauthorized'],
    )
    assert.match(String(sent.get('www-authenticate')), /^Bearer/)
  }
})

test('a role that does not allow something is told which one does', async () => {
  for (const [call, body, reason] of [
    ['POST /members', { ...account, email: 'x@example.com' }, 'Only an owner can add members'],
    ['GET /members', undefined, 'Only an owner can list members'],
    ['POST /buckets', { name: 'mine' }, 'Only an owner or an admin can create buckets'],
    ['GET /audit-logs', undefined, 'Only an owner or an admin can read the audit log'],
    [`DELETE /buckets/${bucketId}`, undefined, 'Only an owner or an admin can delete buckets'],
    [
      `DELETE /buckets/${bucketId}/objects/a?permanent=true`,
      undefined,
      'Only an owner or an admin can delete objects permanently',
    ],
  ] as const) {
    const answer = await member(call, body ? { body } : {})
    assert.deepEqual(
      [answer.status, answer.body.message, answer.body.reason],
      [403, 'Forbidden', reason],
      call,
    )
  }
})

test('a 404 says what there is none of', async () => {
  const none = crypto.randomUUID()
  for (const [call, reason] of [
    [`GET /buckets/${none}`, 'No bucket with this id'],
    [`GET /buckets/${bucketId}/objects/nothing`, 'No object with this key'],
    [`GET /buckets/${bucketId}/objects/nothing?versionId=${none}`, 'No version with this id'],
    [`DELETE /buckets/${bucketId}/objects/nothing`, 'No object with this key'],
    [`POST /buckets/${bucketId}/objects/nothing/recover`, 'No deleted object with this key'],
    [`GET /buckets/${bucketId}/multipart/${none}`, 'No upload with this id'],
    [`DELETE /members/${none}`, 'No member with this id'],
    [`DELETE /auth/api-keys/${none}`, 'No API key with this id'],
    ['GET /no/such/path', null],
  ] as const) {
    const { status, body } = await owner.api(call)
    assert.deepEqual(
      [status, body.message, body.reason, body.code],
      [404, 'Not found', reason, 'not_found'],
      call,
    )
  }
  const malformed = await owner.api('GET /buckets/first')
  assert.match(malformed.body.reason, /^Not found: bucketId must be a UUID/)
})

test('what belongs to another organization is refused in the same words as what does not exist', async () => {
  const { body: key } = await stranger.api('POST /auth/api-keys', { body: { label: 'theirs' } })
  const none = crypto.randomUUID()
  await stranger.api(`PUT /buckets/${foreignBucket}/objects/secret`, { raw: 'x' })
  const pairs: [string, string][] = [
    [`GET /buckets/${foreignBucket}`, `GET /buckets/${none}`],
    [`DELETE /buckets/${foreignBucket}`, `DELETE /buckets/${none}`],
    [`GET /buckets/${foreignBucket}/objects/secret`, `GET /buckets/${none}/objects/secret`],
    [`DELETE /members/${stranger.user.id}`, `DELETE /members/${none}`],
    [`DELETE /auth/api-keys/${key.id}`, `DELETE /auth/api-keys/${none}`],
  ]
  for (const [theirs, nobodys] of pairs) {
    const [a, b] = [await owner.api(theirs), await owner.api(nobodys)]
    const shown = ({ status, body }: typeof a) => [status, { ...body, requestId: '' }]
    assert.deepEqual(shown(a), shown(b), theirs)
  }
})

test('a policy that denies something is named, with its statement', async () => {
  const denied = await createBucket(owner.api, 'denied')
  const statement = {
    effect: 'deny',
    action: 'object.read',
    subjectType: 'role',
    subjectId: 'member',
    resourceType: 'bucket',
    resourceId: '*',
  }
  await owner.api(`PUT /buckets/${denied}/policy`, { body: { statements: [statement] } })
  const { status, body } = await member(`GET /buckets/${denied}/objects/a`)
  assert.deepEqual([status, body.reason], [403, 'The policy of this bucket denies this'])
  assert.deepEqual(body.details, [{ field: 'statements[0]', reason: 'denied by statements[0]' }])
})

// Last, because the clock moves on for everybody.
test('a token that has expired says so', async () => {
  system.clock.advance(13 * 3600_000)
  const { status, body } = await owner.api('GET /auth/me')
  assert.deepEqual([status, body.reason], [401, 'This token has expired: sign in again'])
})

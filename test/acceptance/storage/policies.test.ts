import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket, objectPath, putObject } from '#test/support/storage.ts'

const system = await boot()
const owner = await storageOwner(system)
const { api } = owner

const [admin, plain] = [await addMember(system, api, 'admin'), await addMember(system, api, 'member')]
const key = (await plain.api('POST /auth/api-keys', { body: {} })).body
const withKey = system.storage.with({ 'x-api-key': key.key })

let count = 0
const bucketWith = async (statements: object[], more: object = {}) => {
  const id = await createBucket(api, `policy-${++count}`, more)
  for (const name of ['docs/a', 'docs/b', 'other']) await putObject(api, objectPath(id, name), name)
  const set = await api(`PUT /buckets/${id}/policy`, { body: { statements } })
  assert.equal(set.status, 200, set.text)
  return id
}
const statement = (more: object) => ({
  effect: 'deny',
  action: 'object.read',
  resourceType: 'object',
  resourceId: '*',
  subjectType: 'role',
  subjectId: 'member',
  ...more,
})
const read = async (as: typeof api, id: string, name = 'docs/a') =>
  (await as(`GET ${objectPath(id, name)}`)).status

test('by default members use objects, and only owner and admin manage buckets', async () => {
  const id = await bucketWith([])
  assert.deepEqual((await api(`GET /buckets/${id}/policy`)).body, [])
  assert.equal(await read(plain.api, id), 200)
  assert.equal((await plain.api(`PUT /buckets/${id}/objects/new`, { raw: 'x' })).status, 201)
  assert.equal((await plain.api(`DELETE /buckets/${id}/objects/new`)).status, 200)
  assert.equal((await plain.api(`POST /buckets/${id}/objects/new/recover`)).status, 200)
  assert.equal((await plain.api(`DELETE /buckets/${id}/objects/new?permanent=true`)).status, 403)
  assert.equal((await plain.api(`PATCH /buckets/${id}`, { body: { visibility: 'public' } })).status, 403)
  assert.equal((await plain.api(`DELETE /buckets/${id}`)).status, 403)
  assert.equal((await plain.api(`GET /buckets/${id}/policy`)).status, 403)
  assert.equal((await plain.api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })).status, 403)
  assert.equal((await plain.api('POST /buckets', { body: { name: 'nope' } })).status, 403)
  assert.equal((await admin.api(`GET /buckets/${id}/policy`)).status, 200)
  assert.equal((await admin.api(`DELETE /buckets/${id}/objects/new?permanent=true`)).status, 200)
})

test('a deny wins in any order, is named in the response, and applies to matching keys', async () => {
  const allow = statement({ effect: 'allow', action: '*' })
  const id = await bucketWith([allow, statement({ resourceId: 'docs/*' })])
  const refused = await plain.api(`GET /buckets/${id}/objects/docs/a`)
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.body.details, [{ field: 'statements[1]', reason: 'denied by statements[1]' }])
  assert.equal(await read(plain.api, id, 'other'), 200)
  assert.equal(await read(withKey, id), 403)
  assert.equal(await read(admin.api, id), 200)
  assert.equal(
    (await plain.api(`DELETE /buckets/${id}/objects/docs/a?permanent=true`)).status,
    200,
    'allowed to',
  )
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })
  assert.equal(await read(plain.api, id, 'docs/b'), 200)
})

test('policy subjects are a user, a role, a key or everyone', async () => {
  const only = (subjectType: string, subjectId: string) => bucketWith([statement({ subjectType, subjectId })])
  const byUser = await only('user', plain.id)
  assert.deepEqual(
    [await read(plain.api, byUser), await read(withKey, byUser), await read(api, byUser)],
    [403, 403, 200],
  )
  const byKey = await only('api_key', key.id)
  assert.deepEqual([await read(plain.api, byKey), await read(withKey, byKey)], [200, 403])
  const all = await only('user', '*')
  assert.deepEqual([await read(api, all), await read(admin.api, all)], [403, 403])
})

test('a statement on a bucket covers its objects and lists; the owner can always change the policy', async () => {
  const id = await bucketWith([statement({ resourceType: 'bucket', action: '*', subjectId: '*' })])
  const name = `policy-${count}`
  for (const call of ['GET objects/docs/a', 'GET objects', 'GET versions?objectKey=other'])
    assert.equal((await api(`${call.replace(' ', ` /buckets/${id}/`)}`)).status, 403, call)
  assert.equal((await api(`GET /buckets/${id}`)).status, 403)
  assert.ok(!(await api('GET /buckets')).body.some((b: { id: string }) => b.id === id))
  assert.equal((await admin.api(`GET /buckets/${id}/policy`)).status, 403)
  assert.equal((await api(`GET /buckets/${id}/policy`)).status, 200)
  const byName = statement({ resourceType: 'bucket', resourceId: name, action: 'object.list' })
  assert.equal((await api(`PUT /buckets/${id}/policy`, { body: { statements: [byName] } })).status, 200)
  assert.equal((await plain.api(`GET /buckets/${id}/objects`)).status, 403)
  assert.equal(await read(plain.api, id), 200)
})

test('policy conditions limit when a statement applies', async () => {
  const write = (conditions: object) => bucketWith([statement({ action: 'object.write', conditions })])
  const put = async (id: string, name: string, raw: string, type = 'text/plain') =>
    (await plain.api(`PUT /buckets/${id}/objects/${name}`, { raw, headers: { 'content-type': type } })).status
  const small = await write({ maxSizeBytes: 10 })
  assert.deepEqual([await put(small, 'x', '0123456789'), await put(small, 'x', '0123456789a')], [403, 201])
  const html = await write({ contentType: 'text/html' })
  assert.deepEqual(
    [await put(html, 'x', 'x', 'text/html; charset=utf-8'), await put(html, 'x', 'x')],
    [403, 201],
  )
  const prefix = await write({ prefix: 'docs/' })
  assert.deepEqual([await put(prefix, 'docs/x', 'x'), await put(prefix, 'x', 'x')], [403, 201])
  const here = await write({ ipCidr: '127.0.0.0/8' })
  const elsewhere = await write({ notIpCidr: ['127.0.0.0/8', '::1/128'] })
  assert.deepEqual([await put(here, 'x', 'x'), await put(elsewhere, 'x', 'x')], [403, 201])
  const past = await write({ expiresAt: '2020-01-01T00:00:00Z' })
  const future = await write({ notBefore: '2099-01-01T00:00:00Z' })
  assert.deepEqual([await put(past, 'x', 'x'), await put(future, 'x', 'x')], [201, 201])
})

test('a policy has at most 20 KiB and 50 ranges in a condition, saved, tried out, or as a document of S3', async () => {
  const id = await bucketWith([])
  const put = (statements: object[]) => api(`PUT /buckets/${id}/policy`, { body: { statements } })
  const sizeOf = (list: object[]) => JSON.stringify(list.map((one) => ({ conditions: null, ...one }))).length
  const filling = (bytes: number) => {
    const list = Array.from({ length: 24 }, () => statement({ resourceId: 'x'.repeat(700) }))
    return [...list, statement({ resourceId: 'x'.repeat(bytes - sizeOf([...list, statement({ resourceId: '' })])) })]
  }
  assert.equal(sizeOf(filling(20_480)), 20_480)
  assert.equal((await put(filling(20_480))).status, 200)
  const tooLarge = await put(filling(20_481))
  assert.equal(tooLarge.status, 400)
  assert.match(tooLarge.body.message, /^statements must have at most 20480 bytes/)
  const ranges = (count: number) => [statement({ conditions: { notIpCidr: Array.from({ length: count }, (_, n) => `10.0.0.${n}/32`) } })]
  const tooMany = await put(ranges(51))
  assert.equal(tooMany.status, 400)
  assert.match(tooMany.body.message, /^statements\[0\]\.conditions\.notIpCidr must have at most 50/)
  const tried = await api(`POST /buckets/${id}/policy/simulate`, { body: { action: 'object.read', subjectType: 'role', subjectId: 'member', statements: ranges(51) } })
  assert.equal(tried.status, 400)
  assert.equal((await api(`GET /buckets/${id}/policy`)).body.length, 25, 'nothing was changed')
  assert.equal((await put(ranges(50))).status, 200)
}) // biome-ignore format: as a table

test('an invalid policy is refused', async () => {
  const id = await bucketWith([])
  const put = async (body: object) => await api(`PUT /buckets/${id}/policy`, { body })
  for (const bad of [
    { effect: 'maybe' },
    { action: 'object.fly' },
    { resourceType: 'planet' },
    { resourceId: '' },
    { subjectType: 'ghost' },
    { subjectId: 5 },
    { conditions: { moon: 'full' } },
    { conditions: { ipCidr: 'x' } },
    { conditions: { ipCidr: '10.0.0.0/33' } },
    { conditions: { notBefore: 'soon' } },
    { conditions: { maxSizeBytes: -1 } },
  ]) {
    const { status, text } = await put({ statements: [statement(bad)] })
    assert.equal(status, 400, `${JSON.stringify(bad)} ${text}`)
  }
  const { effect: _, ...incomplete } = statement({})
  assert.match((await put({ statements: [incomplete] })).body.message, /^statements\[0\]\.effect is required/)
  assert.equal((await put({})).status, 400)
  const stored = await put({ statements: [statement({})] })
  assert.deepEqual(stored.body, [{ ...statement({}), conditions: null }])
  assert.deepEqual((await api(`GET /buckets/${id}/policy`)).body, stored.body)
})

test('in Form R the policy endpoint sets the visibility', async () => {
  const id = await bucketWith([])
  const { status, body } = await api(`PUT /buckets/${id}/policy`, { body: { visibility: 'public' } })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), [
    'createdAt',
    'id',
    'name',
    'requestId',
    'storageUsedBytes',
    'visibility',
  ])
  assert.equal(body.visibility, 'public')
  assert.equal((await api(`PUT /buckets/${id}/policy`, { body: { visibility: 'odd' } })).status, 400)
})

test('statements and visibility change together, and the response shows them even if the caller loses access', async () => {
  const id = await bucketWith([])
  const mine = statement({ action: '*', resourceType: 'bucket', subjectId: 'admin' })
  const body = { statements: [mine], visibility: 'public' }
  const changed = await admin.api(`PUT /buckets/${id}/policy`, { body })
  assert.deepEqual([changed.status, changed.body.visibility], [200, 'public'], changed.text)
  assert.equal((await admin.api(`PUT /buckets/${id}/policy`, { body })).status, 403)
  assert.deepEqual((await api(`GET /buckets/${id}/policy`)).body, [{ ...mine, conditions: null }])
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })
  const formR = { headers: { 'x-api-form': 'R' } }
  const alone = await admin.api(`PUT /buckets/${id}/policy`, { body: { statements: [mine] }, ...formR })
  assert.deepEqual([alone.status, alone.body.id], [200, id], alone.text)
})

test('the policy simulator returns the decision and its reason', async () => {
  const deny = statement({ resourceId: 'docs/*', subjectType: 'user', subjectId: plain.id })
  const id = await bucketWith([deny])
  const ask = async (body: object) => (await api(`POST /buckets/${id}/policy/simulate`, { body })).body
  const user = { subjectType: 'user', subjectId: plain.id }
  assert.deepEqual(await ask({ action: 'object.read', objectKey: 'docs/a', ...user }), {
    decision: 'deny',
    reason: 'denied by statements[0]',
    statement: { ...deny, conditions: null },
  })
  const other = await ask({ action: 'object.read', objectKey: 'other', ...user })
  assert.deepEqual([other.decision, other.statement], ['allow', null])
  assert.equal(
    (await ask({ action: 'object.read', objectKey: 'docs/a', subjectType: 'api_key', subjectId: key.id }))
      .decision,
    'deny',
  )
  assert.equal(
    (await ask({ action: 'object.read', subjectType: 'role', subjectId: 'anonymous' })).decision,
    'deny',
  )
  const asked = await api(`POST /buckets/${id}/policy/simulate`, {
    body: { action: 'object.read', subjectType: 'user', subjectId: id },
  })
  assert.equal(asked.status, 404)
  const odd = await api(`POST /buckets/${id}/policy/simulate`, { body: { action: 'fly', ...user } })
  assert.equal(odd.status, 400)
})

test('the policy simulator tries statements that are not saved, checked as if they were to be', async () => {
  const saved = statement({ resourceId: 'docs/*', subjectType: 'user', subjectId: plain.id })
  const id = await bucketWith([saved])
  const about = { action: 'object.read', objectKey: 'docs/a', subjectType: 'user', subjectId: plain.id }
  const ask = (statements: unknown, as = api) =>
    as(`POST /buckets/${id}/policy/simulate`, { body: { ...about, statements } })
  const other = statement({ resourceId: 'other/*', subjectType: 'user', subjectId: plain.id })
  const drafted = statement({
    effect: 'allow',
    resourceId: 'docs/*',
    subjectType: 'role',
    subjectId: 'Member',
  })
  const tried = await ask([other, drafted])
  assert.deepEqual(tried.body, {
    decision: 'allow',
    reason: 'allowed by statements[1]',
    statement: { ...drafted, subjectId: 'member', conditions: null },
  })
  const none = await ask([])
  assert.deepEqual([none.body.decision, none.body.statement], ['allow', null], none.text)
  assert.deepEqual((await api(`GET /buckets/${id}/policy`)).body, [{ ...saved, conditions: null }])
  assert.equal(await read(plain.api, id), 403, 'the saved policy stays in force')

  const fieldOf = async (statements: unknown) => {
    const refused = await ask(statements)
    return [refused.status, refused.body.details?.[0].field]
  }
  assert.deepEqual(await fieldOf([other, { ...drafted, action: 'fly' }]), [400, 'statements[1].action'])
  assert.deepEqual(await fieldOf([{ ...drafted, conditions: { moon: 'full' } }]), [
    400,
    'statements[0].conditions.moon',
  ])
  const stranger = { ...drafted, subjectType: 'user', subjectId: id }
  assert.deepEqual(await fieldOf([stranger]), [400, 'statements[0].subjectId'])
  assert.equal((await ask('all')).status, 400)
  assert.equal((await ask(Array(201).fill(other))).status, 400)
  assert.equal((await ask(Array(150).fill(other))).status, 400)
  assert.equal((await ask(Array(80).fill(other))).status, 200)
  assert.equal((await ask([drafted], plain.api)).status, 403, 'who may not read the policy may not try one')
})

test('a policy is in force on another node within a second', async (t) => {
  const node = await boot({
    database: { url: system.databaseUrl },
    env: { BLOBS_URL: system.blobsUrl },
    t,
  })
  const there = node.storage.with({ 'x-api-key': key.key })
  const id = await bucketWith([])
  assert.equal(await read(there, id), 200)
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [statement({})] } })
  await eventually(async () => assert.equal(await read(there, id), 403), { withinMs: 1_000 })
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [] } })
  await api(`PUT /buckets/${id}/objects/docs/a`, { raw: 'changed' })
  const text = async () => (await there(`GET /buckets/${id}/objects/docs/a`)).text
  await eventually(async () => assert.equal(await text(), 'changed'), { withinMs: 1_000 })
})

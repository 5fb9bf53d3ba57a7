import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket, objectPath, putObject } from '#test/support/storage.ts'

/** Policy rules that could be bypassed if they applied to some operations only. */

const system = await boot()
const owner = await storageOwner(system)
const { api } = owner

const [admin, member] = [await addMember(system, api, 'admin'), await addMember(system, api, 'member')]

const statement = (more: object) => ({
  effect: 'deny',
  action: 'object.list',
  resourceType: 'bucket',
  resourceId: '*',
  subjectType: 'user',
  subjectId: member.id,
  conditions: null,
  ...more,
})
let count = 0
const bucketWith = async (statements: object[], keys = ['open/a', 'secret', 'secret/a', 'secrets']) => {
  const id = await createBucket(api, `rules-${++count}`)
  for (const key of keys) await putObject(api, objectPath(id, key), key)
  const { status, text } = await api(`PUT /buckets/${id}/policy`, { body: { statements } })
  assert.equal(status, 200, text)
  return `/buckets/${id}`
}
const put = (root: string, statements: object[], as = api) =>
  as(`PUT ${root}/policy`, { body: { statements } })
const simulate = async (root: string, question: object) => {
  const subject = { subjectType: 'user', subjectId: member.id }
  return (await api(`POST ${root}/policy/simulate`, { body: { ...subject, ...question } })).body.decision
}

test('a denied prefix is hidden from every list that could show a key below it', async () => {
  const root = await bucketWith([statement({ conditions: { prefix: 'secret/' } })])
  const showing = [
    '',
    'prefix=',
    'prefix=s',
    'prefix=secret',
    'prefix=secret/',
    'prefix=secret/a',
    'prefix=secret/b/',
  ]
  const queries = [
    ...showing,
    'search=secret',
    'search=open',
    'prefix=secret&search=a',
    'delimiter=/',
    'prefix=secret&delimiter=/',
    'limit=1',
    'includeDeleted=true',
    'offset=3',
    `cursor=${Buffer.from('secrets').toString('base64url')}`,
  ]
  for (const query of queries)
    for (const form of ['S', 'R']) {
      const headers = { 'x-api-form': form }
      assert.equal((await member.api(`GET ${root}/objects?${query}`, { headers })).status, 403, query)
      assert.equal((await admin.api(`GET ${root}/objects?${query}`, { headers })).status, 200, query)
    }
  for (const prefix of ['open', 'open/', 'secrets', 'secret.', 'Secret/'])
    assert.equal((await member.api(`GET ${root}/objects?prefix=${prefix}`)).status, 200, prefix)
  for (const query of showing) {
    const objectKey = new URLSearchParams(query).get('prefix') || undefined
    assert.equal(await simulate(root, { action: 'object.list', objectKey }), 'deny', query)
  }
  assert.equal(await simulate(root, { action: 'object.list', objectKey: 'open/' }), 'allow')
})

test('a list is denied if it matches one of several denied prefixes', async () => {
  const root = await bucketWith([statement({ conditions: { prefix: ['x/', 'secret/'] } })])
  assert.equal((await member.api(`GET ${root}/objects`)).status, 403)
  assert.equal((await member.api(`GET ${root}/objects?prefix=sec`)).status, 403)
  assert.equal((await member.api(`GET ${root}/objects?prefix=open`)).status, 200)
})

test('an allowed prefix opens only lists that show nothing else', async () => {
  const anonymous = { subjectType: 'role', subjectId: 'anonymous' }
  const root = await bucketWith([
    statement({ ...anonymous, effect: 'allow', conditions: { prefix: 'open/' } }),
  ])
  const asked = (objectKey?: string) => simulate(root, { ...anonymous, action: 'object.list', objectKey })
  assert.deepEqual(
    [await asked('open/'), await asked('open/a'), await asked('open'), await asked()],
    ['allow', 'allow', 'deny', 'deny'],
  )
})

test('keys below a denied prefix are not shown as versions or pending uploads either', async () => {
  const root = await bucketWith([])
  for (const objectKey of ['secret/new', 'open/new'])
    assert.equal((await member.api(`POST ${root}/multipart/initiate`, { body: { objectKey } })).status, 201)
  await put(root, [statement({ conditions: { prefix: 'secret/' } })])
  const versions = async (key: string) => (await member.api(`GET ${root}/versions?objectKey=${key}`)).status
  assert.deepEqual(
    [await versions('secret/a'), await versions('open/a'), await versions('secrets')],
    [403, 200, 200],
  )
  const pending = async (as: typeof api) =>
    (await as('GET /uploads')).body
      .filter(({ bucketId }: { bucketId: string }) => root.endsWith(bucketId))
      .map(({ objectKey }: { objectKey: string }) => objectKey)
      .sort()
  assert.deepEqual(await pending(member.api), ['open/new'])
  assert.deepEqual(await pending(admin.api), ['open/new', 'secret/new'])
  assert.equal((await member.api(`GET ${root}/objects/secret/a`)).status, 200, 'reading is another right')
})

test('a deny of delete also denies purge, for live and deleted objects', async () => {
  const forAll = { subjectType: 'role', subjectId: '*' }
  const root = await bucketWith([], ['live', 'gone'])
  await api(`DELETE ${root}/objects/gone`)
  await put(root, [statement({ ...forAll, action: 'object.delete' })])
  for (const as of [api, admin.api])
    for (const key of ['live', 'gone']) {
      const refused = await as(`DELETE ${root}/objects/${key}?permanent=true`)
      assert.equal(refused.status, 403, key)
      assert.equal(refused.body.details[0].field, 'statements[0]')
    }
  const purge = { action: 'object.purge', objectKey: 'live', subjectType: 'role', subjectId: 'owner' }
  assert.equal(await simulate(root, purge), 'deny')
  const allow = statement({ ...forAll, effect: 'allow', action: 'object.purge' })
  await put(root, [
    allow,
    statement({ ...forAll, action: 'object.delete', resourceType: 'object', resourceId: 'live' }),
  ])
  assert.equal((await api(`DELETE ${root}/objects/live?permanent=true`)).status, 403)
  assert.equal((await member.api(`DELETE ${root}/objects/gone?permanent=true`)).status, 200)
  await put(root, [])
  assert.equal((await api(`GET ${root}/objects/live`)).text, 'live')
  assert.equal(await simulate(root, purge), 'allow')
  assert.equal((await api(`DELETE ${root}/objects/live?permanent=true`)).status, 200)
})

test('a move without the right to delete is refused and changes nothing', async () => {
  const root = await bucketWith([statement({ action: 'object.delete' })], ['kept'])
  const move = { body: { destinationKey: 'moved' } }
  assert.equal((await member.api(`POST ${root}/objects/kept/move`, move)).status, 403)
  assert.equal((await api(`GET ${root}/objects/kept`)).text, 'kept')
  assert.equal((await api(`GET ${root}/objects/moved`)).status, 404)
  assert.equal((await member.api(`POST ${root}/objects/kept/copy`, move)).status, 201, 'a copy does not')
})

test('a batch delete deletes keys that are allowed in a bucket that is denied', async () => {
  const byDefault = await bucketWith([], ['a', 'b', 'c'])
  const one = statement({ action: 'object.delete', resourceType: 'object', resourceId: 'b' })
  await put(byDefault, [one])
  const batch = (root: string) =>
    member.api(`POST ${root}/objects/delete`, { body: { keys: ['a', 'b', 'c', 'd'] } })
  const { status, body } = await batch(byDefault)
  assert.equal(status, 200)
  assert.deepEqual(body.deleted, ['a', 'c'])
  assert.deepEqual(
    body.errors.map(({ key, message }: { key: string; message: string }) => [key, message]),
    [
      ['b', 'The policy of this bucket denies this'],
      ['d', 'No object with this key'],
    ],
  )
  const closed = await bucketWith([statement({ action: 'object.delete' })], ['a'])
  const none = await batch(closed)
  assert.deepEqual([none.status, none.body.deleted, none.body.errors.length], [200, [], 4])
  assert.equal((await api(`GET ${closed}/objects/a`)).status, 200)
})

test('ids in statements are case-insensitive and stored in lower case', async () => {
  const root = await bucketWith([], ['a'])
  const { id } = (await api(`PUT ${root}/objects/b`, { raw: 'b' })).body
  const key = (await member.api('POST /auth/api-keys', { body: {} })).body
  const asKey = system.storage.with({ 'x-api-key': key.key })
  const read = async (as: typeof api, name = 'a') => (await as(`GET ${root}/objects/${name}`)).status
  const set = async (more: object) => (await put(root, [statement({ action: 'object.read', ...more })])).body
  const [stored] = await set({ subjectId: member.id.toUpperCase() })
  assert.equal(stored.subjectId, member.id)
  assert.equal(await read(member.api), 403)
  assert.equal(
    await simulate(root, { action: 'object.read', objectKey: 'a', subjectId: member.id.toUpperCase() }),
    'deny',
  )
  const [keyed] = await set({ subjectType: 'api_key', subjectId: key.id.toUpperCase() })
  assert.equal(keyed.subjectId, key.id)
  assert.deepEqual([await read(asKey), await read(member.api)], [403, 200])
  assert.equal((await set({ subjectType: 'role', subjectId: 'Member' }))[0].subjectId, 'member')
  assert.equal(await read(member.api), 403)
  await set({ resourceId: root.slice('/buckets/'.length).toUpperCase() })
  assert.equal(await read(member.api), 403)
  await set({ resourceType: 'object', resourceId: id.toUpperCase() })
  assert.deepEqual([await read(member.api, 'b'), await read(member.api, 'a')], [403, 200])
  await set({ resourceType: 'object', resourceId: 'B' })
  assert.equal(await read(member.api, 'b'), 200, 'a key is taken as it is')
})

test('a statement about an unknown user or key is refused, and nothing changes', async () => {
  const before = [statement({})]
  const root = await bucketWith(before)
  const stranger = await storageOwner(system)
  const strangersKey = (await stranger.api('POST /auth/api-keys', { body: {} })).body
  const [gone, left] = [
    await addMember(system, api, 'member'),
    (await member.api('POST /auth/api-keys', { body: {} })).body,
  ]
  await api(`DELETE /members/${gone.id}`)
  await member.api(`DELETE /auth/api-keys/${left.id}`)
  for (const [subjectType, subjectId] of [
    ['user', crypto.randomUUID()],
    ['user', stranger.user.id],
    ['user', gone.id],
    ['user', 'somebody'],
    ['user', left.id],
    ['api_key', crypto.randomUUID()],
    ['api_key', strangersKey.id],
    ['api_key', left.id],
    ['api_key', member.id],
    ['role', 'boss'],
  ]) {
    const refused = await put(root, [statement({}), statement({ subjectType, subjectId })])
    assert.equal(refused.status, 400, `${subjectType} ${subjectId}`)
    assert.equal(refused.body.details[0].field, 'statements[1].subjectId')
    assert.match(refused.body.message, /^statements\[1\]\.subjectId must be \* or /)
  }
  assert.equal((await put(root, [statement({ subjectId: crypto.randomUUID() })], member.api)).status, 403)
  assert.deepEqual((await api(`GET ${root}/policy`)).body, before)
})

test('a policy that names a removed user can be changed and written back', async () => {
  const [leaver, key] = [
    await addMember(system, api, 'member'),
    (await member.api('POST /auth/api-keys', { body: {} })).body,
  ]
  const kept = [statement({ subjectId: leaver.id }), statement({ subjectType: 'api_key', subjectId: key.id })]
  const root = await bucketWith(kept)
  await api(`DELETE /members/${leaver.id}`)
  await member.api(`DELETE /auth/api-keys/${key.id}`)
  const read = (await api(`GET ${root}/policy`)).body
  assert.deepEqual(read, kept)
  assert.equal((await put(root, [...read, statement({})])).status, 200)
  assert.equal((await member.api(`GET ${root}/objects`)).status, 403)
  assert.equal((await put(root, [statement({})])).status, 200)
  assert.equal((await put(root, kept)).status, 400, 'forgotten meanwhile')
})

test('a condition that is called like a part of every object is refused, as any that is unknown', async () => {
  const root = await bucketWith([statement({})])
  const saved = (await api(`GET ${root}/policy`)).text
  const headers = { 'content-type': 'application/json' }
  for (const name of [
    '__proto__',
    '\\u005f_proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prefix ',
  ]) {
    const text = JSON.stringify({ statements: [statement({ conditions: 'HERE' })] })
    const raw = text.replace('"HERE"', `{"${name}": {"prefix": "secret/"}}`)
    const refused = await api(`PUT ${root}/policy`, { raw, headers })
    assert.equal(refused.status, 400, `${name}: ${refused.text}`)
    assert.match(refused.body.message, /^statements\[0\]\.conditions\./)
    assert.equal((await api(`GET ${root}/policy`)).text, saved)
  }
})

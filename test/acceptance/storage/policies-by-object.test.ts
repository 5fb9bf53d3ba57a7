import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket, putObject } from '#test/support/storage.ts'

/** A statement about one object, by its id, applies to every operation on it. */

const system = await boot()
const owner = await storageOwner(system)
const { api } = owner
const { api: member, id: memberId } = await addMember(system, api, 'member')

const bucketId = await createBucket(api, 'by-object')
const root = `/buckets/${bucketId}`
const put = async (key: string, raw: string, headers = {}) =>
  (await putObject(api, `${root}/objects/${key}`, raw, headers)).id as string
const govern = async (statement: object) => {
  const whole = {
    effect: 'deny',
    resourceType: 'object',
    subjectType: 'role',
    subjectId: 'member',
    ...statement,
  }
  const { status, text } = await api(`PUT ${root}/policy`, { body: { statements: [whole] } })
  assert.equal(status, 200, text)
}
const content = async (key: string) => (await api(`GET ${root}/objects/${key}`)).text
const upload = async (objectKey: string) => {
  const { uploadId } = (await member(`POST ${root}/multipart/initiate`, { body: { objectKey } })).body
  assert.equal((await member(`PUT ${root}/multipart/${uploadId}/parts/1`, { raw: 'parts' })).status, 200)
  return uploadId as string
}
const visit = (url: string, options = {}, method = 'GET') => {
  const { pathname, search } = new URL(url)
  return system.storage(`${method} ${pathname}${search}`, options)
}

test('an object that a policy protects is not overwritten by copy, move, multipart upload, form or restore', async () => {
  await put('locked', 'first')
  const id = await put('locked', 'kept')
  await put('source', 'other')
  const [, first] = (await api(`GET ${root}/versions?objectKey=locked`)).body
  const uploadId = await upload('locked')
  const address = (await member(`POST ${root}/signed-url`, { body: { objectKey: 'locked', method: 'PUT' } }))
    .body
  await govern({ action: 'object.write', resourceId: id })
  const form = new FormData()
  form.append('objectKey', 'locked')
  form.append('file', new Blob(['form']), 'f')
  const refused = [
    await member(`PUT ${root}/objects/locked`, { raw: 'x' }),
    await member(`POST ${root}/objects/upload`, { raw: form }),
    await member(`POST ${root}/objects/source/copy`, { body: { destinationKey: 'locked' } }),
    await member(`POST ${root}/objects/source/move`, { body: { destinationKey: 'locked' } }),
    await member(`POST ${root}/multipart/${uploadId}/complete`, { body: {} }),
    await member(`POST ${root}/objects/locked/restore`, { body: { versionId: first.version_id } }),
    await visit(address.url, { raw: 'signed' }, 'PUT'),
  ]
  for (const { status, body } of refused)
    assert.deepEqual([status, body.details?.[0]?.field], [403, 'statements[0]'], JSON.stringify(body))
  assert.deepEqual([await content('locked'), await content('source')], ['kept', 'other'])
  assert.equal((await member(`GET ${root}/multipart/${uploadId}`)).body.status, 'pending')
  assert.equal((await member(`PUT ${root}/objects/elsewhere`, { raw: 'x' })).status, 201)
})

test('a version whose content type a policy denies is not restored', async () => {
  await put('page', '<b>', { 'content-type': 'text/html' })
  await put('page', 'plain', { 'content-type': 'text/plain' })
  const [, html] = (await api(`GET ${root}/versions?objectKey=page`)).body
  await govern({ action: 'object.write', resourceId: '*', conditions: { contentType: 'text/html' } })
  const restore = () => member(`POST ${root}/objects/page/restore`, { body: { versionId: html.version_id } })
  assert.equal((await restore()).status, 403)
  assert.equal(await content('page'), 'plain')
  await govern({ action: 'object.write', resourceId: '*', conditions: { contentType: 'image/*' } })
  assert.equal((await restore()).status, 201)
})

test('a policy against signing refuses new signed URLs and invalidates existing ones', async () => {
  const id = await put('sealed', 'secret')
  const sign = (method: string) =>
    member(`POST ${root}/signed-url`, { body: { objectKey: 'sealed', method } })
  const [get, write] = [(await sign('GET')).body, (await sign('PUT')).body]
  await govern({ action: 'object.sign', resourceId: id })
  assert.deepEqual([(await sign('GET')).status, (await sign('PUT')).status], [403, 403])
  assert.equal((await visit(get.url)).status, 403)
  assert.equal((await visit(write.url, { raw: 'x' }, 'PUT')).status, 403)
  await govern({ action: 'object.read', resourceId: id })
  assert.deepEqual([(await sign('GET')).status, (await visit(get.url)).status], [403, 403])
  assert.equal((await sign('PUT')).status, 200)
})

test('a policy protects a deleted object from being purged or recovered', async () => {
  const id = await put('bin', 'x')
  await api(`DELETE ${root}/objects/bin`)
  await govern({ action: 'object.purge', resourceId: id, subjectId: 'owner' })
  assert.equal((await api(`DELETE ${root}/objects/bin?permanent=true`)).status, 403)
  await put('bin', 'another')
  assert.equal(
    (await api(`DELETE ${root}/objects/bin?permanent=true`)).status,
    403,
    'the deleted one would go too',
  )
  assert.equal(await content('bin'), 'another')
  await api(`DELETE ${root}/objects/bin`)
  await govern({ action: 'object.recover', resourceId: id, subjectId: 'owner' })
  assert.equal((await api(`POST ${root}/objects/bin/recover`)).status, 200, 'the one that was deleted last')
})

test('an allow by object id opens that object and reveals no other', async () => {
  const id = await put('gift', 'for all')
  await put('not-yet', 'x')
  await govern({ effect: 'allow', action: 'object.read', resourceId: id, subjectId: 'anonymous' })
  const open = async (key: string) => (await system.storage(`GET /public/objects/${bucketId}/${key}`)).status
  assert.deepEqual([await open('gift'), await open('not-yet'), await open('none')], [200, 403, 403])
  await govern({ effect: 'allow', action: 'object.purge', resourceId: id })
  const purge = async (key: string) => (await member(`DELETE ${root}/objects/${key}?permanent=true`)).status
  assert.deepEqual([await purge('not-yet'), await purge('none'), await purge('gift')], [403, 403, 200])
})

test('the policy simulator decides as a real request', async () => {
  const id = await put('asked', 'x', { 'content-type': 'text/html' })
  const ask = async (action: string) =>
    (
      await api(`POST ${root}/policy/simulate`, {
        body: { action, objectKey: 'asked', subjectType: 'user', subjectId: memberId },
      })
    ).body.decision
  await govern({ action: 'object.*', resourceId: id })
  for (const action of ['object.read', 'object.write', 'object.delete', 'object.sign'])
    assert.equal(await ask(action), 'deny', action)
  await govern({ action: 'object.*', resourceId: '*', conditions: { contentType: 'text/html' } })
  assert.deepEqual([await ask('object.read'), await ask('object.write')], ['deny', 'allow'])
  assert.equal((await member(`GET ${root}/objects/asked`)).status, 403)
})

test('uploads are listed to those who could continue them', async () => {
  const uploadId = await upload('docs/report')
  const listed = async (as: typeof api) =>
    (await as('GET /uploads')).body.some((session: { uploadId: string }) => session.uploadId === uploadId)
  await govern({ action: 'object.write', resourceId: 'docs/*' })
  assert.deepEqual([await listed(api), await listed(member)], [true, false])
  await govern({ action: 'object.write', resourceId: 'images/*' })
  assert.deepEqual([await listed(api), await listed(member)], [true, true])
})

test('an object that was deleted before a policy denied recovering it stays deleted', async () => {
  for (const [key, statement] of [
    ['by-id', {}],
    ['by-size', { resourceId: '*', conditions: { maxSizeBytes: 10 } }],
    ['by-type', { resourceId: '*', conditions: { contentType: 'text/plain' } }],
  ] as const) {
    const id = await put(key, 'short', { 'content-type': 'text/plain' })
    await api(`DELETE ${root}/objects/${key}`)
    await govern({ action: 'object.recover', resourceId: id, subjectId: 'owner', ...statement })
    assert.equal((await api(`POST ${root}/objects/${key}/recover`)).status, 403, key)
    await govern({ action: 'object.recover', resourceId: 'something-else', subjectId: 'owner' })
    assert.equal((await api(`POST ${root}/objects/${key}/recover`)).status, 200, key)
  }
})

test('an object that a policy protects keeps its bytes when it is moved to a key that others are writing', async () => {
  for (let round = 0; round < 10; round++) {
    const [from, key] = [`guarded-${round}`, `target-${round}`]
    const id = await put(from, 'guarded')
    await govern({ action: 'object.write', resourceId: id })
    const writes = Array.from({ length: 6 }, () => member(`PUT ${root}/objects/${key}`, { raw: 'other' }))
    const moving = api(`POST ${root}/objects/${from}/move`, { body: { destinationKey: key } })
    await Promise.all([...writes, moving])
    const { status } = await moving
    if (status === 200 || status === 201)
      assert.equal((await member(`PUT ${root}/objects/${key}`, { raw: 'last' })).status, 403)
    const versions = (await api(`GET ${root}/versions?objectKey=${key}`)).body as { id: string }[]
    const guarded = versions.find((version) => version.id === id)
    if (guarded) assert.equal((await api(`GET ${root}/objects/${key}?versionId=${id}`)).text, 'guarded')
    else assert.equal(await content(key), 'guarded', `round ${round}`)
  }
})

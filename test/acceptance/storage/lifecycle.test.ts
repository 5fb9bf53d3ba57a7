import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket } from '#test/support/storage.ts'
import { effects } from './event-scene.ts'

const system = await boot({ env: { STORAGE_RETENTION_DAYS: '12' } })
const { api } = await storageOwner(system)
const stranger = (await storageOwner(system)).api
const [admin, member] = [await addMember(system, api, 'admin'), await addMember(system, api, 'member')]
const bucketId = await createBucket(api, 'ruled')
const at = `/buckets/${bucketId}/lifecycle`
const put = (...rules: object[]) => api(`PUT ${at}`, { body: { rules } })

const nothing = {
  enabled: true,
  prefix: '',
  tags: {},
  min_size_bytes: null,
  max_size_bytes: null,
  expiration_days: null,
  expiration_date: null,
  expired_delete_markers: false,
  noncurrent_days: null,
  newer_noncurrent_versions: null,
  abort_uploads_days: null,
}

test('a new bucket keeps what is deleted for STORAGE_RETENTION_DAYS and uploads for 7 days, and says so', async () => {
  const expected = {
    rules: [
      {
        ...nothing,
        id: 'default',
        noncurrent_days: 12,
        expired_delete_markers: true,
        abort_uploads_days: 7,
      },
    ],
  }
  const { status, body } = await api(`GET ${at}`)
  assert.equal(status, 200)
  assert.deepEqual(body, expected)
  const formR = (await api(`GET ${at}`, { headers: { 'x-api-form': 'R' } })).body
  assert.deepEqual({ rules: formR.rules }, expected)
  assert.equal(typeof formR.requestId, 'string')
})

test('rules are replaced as a whole, returned with every field, and deleted', async () => {
  const rules = [
    {
      id: 'drafts',
      prefix: 'drafts/',
      expiration_days: 1,
      noncurrent_days: 1,
      newer_noncurrent_versions: 100,
    },
    {
      id: 'x'.repeat(255),
      enabled: false,
      tags: { ['k'.repeat(128)]: 'v'.repeat(256), empty: '' },
      min_size_bytes: 5,
      max_size_bytes: 5,
      expiration_date: '2030-01-01T00:00:00Z',
    },
    { id: 'markers', expired_delete_markers: true, abort_uploads_days: 2_147_483_647 },
  ]
  const { status, body, text } = await put(...rules)
  assert.equal(status, 200, text)
  assert.deepEqual(body, {
    rules: [
      { ...nothing, ...rules[0] },
      { ...nothing, ...rules[1], expiration_date: '2030-01-01T00:00:00.000Z' },
      { ...nothing, ...rules[2] },
    ],
  })
  assert.deepEqual((await api(`GET ${at}`)).body, body)
  assert.equal((await put(...body.rules)).status, 200, 'what was read can be written back')

  assert.deepEqual((await api(`DELETE ${at}`)).body, { deleted: true })
  assert.deepEqual((await api(`GET ${at}`)).body, { rules: [] })
  const named = (await put({ expiration_days: 3 }, { prefix: null, noncurrent_days: 3, tags: null })).body
    .rules
  assert.equal(new Set(named.map(({ id }: { id: string }) => id)).size, 2, 'ids are made up')
})

test('there are at most 1,000 rules', async () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({ id: `rule ${n}`, expiration_days: 1 }))
  assert.equal((await put(...many)).body.rules.length, 1000)
  const { status, body } = await put(...many, { expiration_days: 1 })
  assert.deepEqual([status, body.details[0].field], [400, 'rules'])
})

test('a rule that is not valid is refused with the name of the field', async () => {
  const kept = (await put({ id: 'kept', expiration_days: 1 })).body
  const refused: [rule: object, field: string][] = [
    [{}, 'rules[0]'],
    [{ newer_noncurrent_versions: 1 }, 'rules[0].newer_noncurrent_versions'],
    [{ noncurrent_days: 1, newer_noncurrent_versions: 0 }, 'rules[0].newer_noncurrent_versions'],
    [{ noncurrent_days: 1, newer_noncurrent_versions: 101 }, 'rules[0].newer_noncurrent_versions'],
    [{ expiration_days: 0 }, 'rules[0].expiration_days'],
    [{ expiration_days: 1.5 }, 'rules[0].expiration_days'],
    [{ expiration_days: '1' }, 'rules[0].expiration_days'],
    [{ expiration_days: 2_147_483_648 }, 'rules[0].expiration_days'],
    [{ noncurrent_days: 0 }, 'rules[0].noncurrent_days'],
    [{ abort_uploads_days: 0 }, 'rules[0].abort_uploads_days'],
    [{ expiration_days: 1, expiration_date: '2030-01-01T00:00:00Z' }, 'rules[0].expiration_date'],
    [{ expiration_date: '2030-01-01T00:00:01Z' }, 'rules[0].expiration_date'],
    [{ expiration_date: '2030-01-01T00:00:00+01:00' }, 'rules[0].expiration_date'],
    [{ expiration_date: 'tomorrow' }, 'rules[0].expiration_date'],
    [{ expiration_days: 1, expired_delete_markers: true }, 'rules[0].expired_delete_markers'],
    [{ expired_delete_markers: true, tags: { a: 'b' } }, 'rules[0].expired_delete_markers'],
    [{ abort_uploads_days: 1, min_size_bytes: 1 }, 'rules[0].abort_uploads_days'],
    [{ expiration_days: 1, min_size_bytes: 2, max_size_bytes: 1 }, 'rules[0].max_size_bytes'],
    [{ expiration_days: 1, min_size_bytes: -1 }, 'rules[0].min_size_bytes'],
    [{ expiration_days: 1, prefix: 'x'.repeat(1025) }, 'rules[0].prefix'],
    [{ expiration_days: 1, prefix: '\0' }, 'rules[0].prefix'],
    [{ expiration_days: 1, id: 'x'.repeat(256) }, 'rules[0].id'],
    [{ expiration_days: 1, id: '' }, 'rules[0].id'],
    [{ expiration_days: 1, enabled: 'yes' }, 'rules[0].enabled'],
    [{ expiration_days: 1, tags: { a: 1 } }, 'rules[0].tags.a'],
    [{ expiration_days: 1, tags: { a: 'x'.repeat(257) } }, 'rules[0].tags.a'],
    [{ expiration_days: 1, tags: { ['x'.repeat(129)]: '' } }, 'rules[0].tags'],
    [{ expiration_days: 1, tags: { 'a?': 'b' } }, 'rules[0].tags'],
    [{ expiration_days: 1, tags: { a: 'b\n' } }, 'rules[0].tags'],
    [{ expiration_days: 1, tags: { a: '\u{1f4e6}' } }, 'rules[0].tags'],
    [
      { expiration_days: 1, tags: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`t${n}`, ''])) },
      'rules[0].tags',
    ],
  ]
  for (const [rule, field] of refused) {
    const { status, body } = await put(rule)
    assert.deepEqual([status, body.details?.[0]?.field], [400, field], JSON.stringify(rule))
    assert.ok(body.message.startsWith(field), body.message)
  }
  const twice = await put({ id: 'same', expiration_days: 1 }, { id: 'same', expiration_days: 2 })
  assert.deepEqual([twice.status, twice.body.details[0].field], [400, 'rules[1].id'])
  for (const body of [{}, { rules: {} }, { rules: null }, { rules: ['x'] }])
    assert.equal((await api(`PUT ${at}`, { body })).status, 400, JSON.stringify(body))
  assert.deepEqual((await api(`GET ${at}`)).body, kept, 'what is refused changes nothing')
})

test('owner and admin change the rules, members read them, others find no bucket', async () => {
  const body = { rules: [{ id: 'a', expiration_days: 9 }] }
  assert.equal((await admin.api(`PUT ${at}`, { body })).status, 200)
  assert.equal((await member.api(`GET ${at}`)).body.rules[0].id, 'a')
  assert.equal((await member.api(`PUT ${at}`, { body })).status, 403)
  assert.equal((await member.api(`DELETE ${at}`)).status, 403)
  for (const call of [`GET ${at}`, `DELETE ${at}`]) assert.equal((await stranger(call)).status, 404, call)
  assert.equal((await stranger(`PUT ${at}`, { body })).status, 404)
  assert.equal((await system.storage(`GET ${at}`)).status, 401)
  assert.equal((await api('GET /buckets/x/lifecycle')).status, 404)

  const statement = {
    effect: 'deny',
    resourceType: 'bucket',
    resourceId: '*',
    subjectType: 'role',
    subjectId: 'admin',
  }
  const statements = [{ ...statement, action: 'bucket.update' }]
  assert.equal((await api(`PUT /buckets/${bucketId}/policy`, { body: { statements } })).status, 200)
  const denied = await admin.api(`PUT ${at}`, { body })
  assert.deepEqual([denied.status, denied.body.details[0].field], [403, 'statements[0]'])
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [] } })
})

test('a change is audited, and an event of the bucket', async () => {
  const happened = await effects(api, () => put({ id: 'b', expiration_days: 9 }))
  assert.deepEqual(
    happened.map(({ type, subject }) => [type, subject]),
    [['bucket.updated', `bucket/${bucketId}`]],
  )
  const { rows } = (await api('GET /audit-logs?action=bucket.updated&limit=1')).body
  assert.deepEqual([rows[0].resource_id, rows[0].payload], [bucketId, { lifecycleRules: 1 }])
  assert.equal((await effects(api, () => put({ expiration_days: 0 }))).length, 0)
})

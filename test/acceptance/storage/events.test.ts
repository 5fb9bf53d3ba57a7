import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellOfEndedPlans } from '#storage/billing/plans.ts'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'
import { addMember, createBucket, objectsIn, putObject } from '#test/support/storage.ts'
import { effect, effects, now, since, typesOf } from './event-scene.ts'

const system = await boot()
const operator = operatorOf(system)

test('an event has an id, a type, a time, a subject, and the resource as its own GET returns it', async () => {
  const { api } = await storageOwner(system)
  const { body: first } = await api('GET /events')
  assert.deepEqual(first.events, [], 'a new organization has no events')
  let id = ''
  const event = await effect(api, async () => {
    id = await createBucket(api, 'first', { storageQuotaBytes: 1000 })
  })
  assert.match(event.id, /^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(event.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual([event.type, event.subject], ['bucket.created', `bucket/${id}`])
  assert.deepEqual(event.data, (await api(`GET /buckets/${id}`)).body)
})

test('buckets: updated by a PATCH or by their visibility in Form R, not by the same values, deleted as they were', async () => {
  const { api } = await storageOwner(system)
  const id = await createBucket(api, 'changing')
  const get = async () => (await api(`GET /buckets/${id}`)).body
  const patch = (body: object) => api(`PATCH /buckets/${id}`, { body })
  const updated = await effect(api, () => patch({ versioningEnabled: false, storageQuotaBytes: 5000 }))
  assert.deepEqual([updated.type, updated.subject], ['bucket.updated', `bucket/${id}`])
  assert.deepEqual(updated.data, await get())
  assert.deepEqual(await effects(api, () => patch({ versioningEnabled: false })), [])
  const shown = await effect(api, () => api(`PUT /buckets/${id}/policy`, { body: { visibility: 'public' } }))
  assert.deepEqual([shown.type, shown.data.visibility], ['bucket.updated', 'public'])
  const before = await get()
  const deleted = await effect(api, () => api(`DELETE /buckets/${id}`))
  assert.equal(deleted.type, 'bucket.deleted')
  assert.deepEqual(deleted.data, before)
})

test('policies: policy.updated with the statements as they are read, and none for the same statements', async () => {
  const { api } = await storageOwner(system)
  const id = await createBucket(api, 'ruled')
  const statements = [
    {
      effect: 'deny',
      action: 'object.delete',
      resourceType: 'object',
      resourceId: 'kept/*',
      subjectType: 'role',
      subjectId: 'member',
      conditions: { prefix: 'kept/' },
    },
  ]
  const set = () => api(`PUT /buckets/${id}/policy`, { body: { statements } })
  const event = await effect(api, set)
  assert.deepEqual([event.type, event.subject], ['policy.updated', `bucket/${id}`])
  assert.deepEqual(event.data, { bucket_id: id, statements: (await api(`GET /buckets/${id}/policy`)).body })
  assert.deepEqual(await effects(api, set), [])
})

test('members: added, updated, removed, each as they are listed', async () => {
  const { api } = await storageOwner(system)
  let id = ''
  const added = await effect(api, async () => {
    id = (await addMember(system, api, 'member')).id
  })
  const listed = async () =>
    (await api('GET /members')).body.find((member: { id: string }) => member.id === id)
  assert.deepEqual([added.type, added.subject], ['member.added', `member/${id}`])
  assert.deepEqual(added.data, await listed())
  const change = () => api(`PATCH /members/${id}`, { body: { role: 'admin' } })
  const updated = await effect(api, change)
  assert.deepEqual([updated.type, updated.data.role], ['member.updated', 'admin'])
  assert.deepEqual(await effects(api, change), [], 'the same role changes nothing')
  const removed = await effect(api, () => api(`DELETE /members/${id}`))
  assert.deepEqual([removed.type, removed.data], ['member.removed', updated.data])
})

test('keys: created without their secrets, revoked with each key that descends from them', async () => {
  const { api } = await storageOwner(system)
  const make = async (as = api) => (await as('POST /auth/api-keys', { body: { label: 'k' } })).body
  let key = { id: '', key: '', secretKey: '' }
  const created = await effect(api, async () => {
    key = await make()
  })
  assert.deepEqual([created.type, created.subject], ['api_key.created', `api_key/${key.id}`])
  assert.deepEqual(created.data, (await api('GET /auth/api-keys')).body[0])
  assert.ok(!JSON.stringify(created).includes(key.secretKey))
  const child = await make(system.storage.with({ 'x-api-key': key.key }))
  const grandchild = await make(system.storage.with({ 'x-api-key': child.key }))
  const revoked = await effects(api, () => api(`DELETE /auth/api-keys/${key.id}`))
  assert.deepEqual(typesOf(revoked), Array(3).fill('api_key.revoked'))
  assert.deepEqual(revoked.map(({ data }) => data.id).sort(), [key.id, child.id, grandchild.id].sort())
})

test('keys are revoked with the member whose they are, and with a changed password if that is asked for', async () => {
  const { api } = await storageOwner(system)
  const member = await addMember(system, api, 'member')
  const { id } = (await member.api('POST /auth/api-keys', { body: {} })).body
  const removed = await effects(api, () => api(`DELETE /members/${member.id}`))
  assert.deepEqual(removed.map(({ type, subject }) => `${type} ${subject}`).sort(), [
    `api_key.revoked api_key/${id}`,
    `member.removed member/${member.id}`,
  ])
  const other = await addMember(system, api, 'member')
  await other.api('POST /auth/api-keys', { body: {} })
  const change = { currentPassword: password, newPassword: 'another horse', revokeKeys: true }
  const changed = await effects(api, () => other.api('PATCH /settings/password', { body: change }))
  assert.deepEqual(typesOf(changed), ['api_key.revoked'])
})

test('plans: one plan.updated for a payment, a code, an operator command and an end that has passed', async () => {
  const { api, organization } = await storageOwner(system)
  const plan = async () => (await api('GET /billing/plan')).body
  const wanted = { storageTier: 'storage-100', bandwidthTier: 'bandwidth-500', termMonths: 1 }
  const paid = await effect(api, async () => {
    const { clientSecret } = (await api('POST /billing/purchase', { body: wanted })).body
    for (let n = 0; n < 2; n++) await api('POST /billing/sandbox/confirm', { body: { clientSecret } })
  })
  assert.deepEqual([paid.type, paid.subject], ['plan.updated', `organization/${organization.id}`])
  assert.deepEqual(paid.data, await plan())

  await operator('storage', 'promo', 'create', '--code', 'EVENTS', '--months', '2')
  const redeemed = await effect(api, () => api('POST /billing/redeem-promo', { body: { code: 'EVENTS' } }))
  assert.deepEqual([redeemed.type, redeemed.data], ['plan.updated', await plan()])

  const set = (...args: string[]) => operator('storage', 'plan', 'set', '--org', organization.slug, ...args)
  const changed = await effect(api, () => set('--storage-tier', 'storage-1000', '--expires', '2040-02-29'))
  assert.deepEqual([changed.type, changed.data], ['plan.updated', await plan()])
  assert.deepEqual(await effects(api, () => set('--storage-tier', 'storage-1000')), [])
  const ended = await effect(api, () => set('--status', 'expired'))
  assert.deepEqual([ended.data.plan_status, ended.data], ['expired', await plan()])
  const context = { ...system.platform, clock: system.clock }
  assert.deepEqual(await effects(api, () => tellOfEndedPlans(context)), [], 'it was told already')

  await set('--status', 'active', '--expires', '2040-02-29')
  await system.sql`update storage.organizations set plan_expires_at = now() where id = ${organization.id}`
  const passed = await effect(api, () => tellOfEndedPlans(context))
  assert.deepEqual([passed.type, passed.data], ['plan.updated', await plan()])
  assert.equal(passed.data.plan_status, 'expired')
  assert.deepEqual(await effects(api, () => tellOfEndedPlans(context)), [])
})

const withQuotas = async (storageQuota: number, bandwidthQuota = 10_000) => {
  const owner = await storageOwner(system)
  const bucketId = await createBucket(owner.api, 'measured', { versioningEnabled: false })
  await system.sql`
    update storage.organizations set storage_quota_bytes = ${storageQuota}, bandwidth_quota_bytes = ${bandwidthQuota}
    where id = ${owner.organization.id}`
  const warnings = async (act: () => Promise<unknown>) =>
    (await effects(owner.api, act)).filter(({ type }) => type === 'quota.warning').map(({ data }) => data)
  return { ...owner, at: objectsIn(bucketId), bucketId, warnings }
}

test('storage: a warning once at 80 and once at 95 per cent, again only after it fell below', async () => {
  const { api, at, bucketId, warnings, organization } = await withQuotas(100_000)
  const put = (key: string, size: number) => () => putObject(api, at(key), Buffer.alloc(size))
  const warning = (percent: number, used_bytes: number) => ({
    kind: 'storage',
    percent,
    used_bytes,
    quota_bytes: 100_000,
  })
  assert.deepEqual(await warnings(put('a', 79_999)), [])
  const start = await now(api)
  assert.deepEqual(await warnings(put('b', 1)), [warning(80, 80_000)])
  assert.equal((await since(api, start, '&types=quota.*'))[0]!.subject, `organization/${organization.id}`)
  assert.deepEqual(await warnings(put('c', 10_000)), [], 'warned already')
  assert.deepEqual(await warnings(put('d', 5_000)), [warning(95, 95_000)])
  assert.deepEqual(await warnings(put('e', 1)), [])
  const purge = (key: string) => api(`DELETE ${at(key)}?permanent=true`)
  assert.deepEqual(await warnings(() => purge('d')), [])
  assert.deepEqual(
    await warnings(() => api(`POST ${at('c')}/copy`, { body: { destinationKey: 'f' } })),
    [],
    'refused: it does not fit',
  )
  assert.deepEqual(await warnings(put('d', 6_000)), [warning(95, 96_001)], 'it was below 95 per cent')
  for (const key of ['a', 'd']) await purge(key)
  const jump = await warnings(async () => {
    const { uploadId } = (
      await api(`POST /buckets/${bucketId}/multipart/initiate`, { body: { objectKey: 'parts' } })
    ).body
    await api(`PUT /buckets/${bucketId}/multipart/${uploadId}/parts/1`, { raw: Buffer.alloc(85_000) })
    await api(`POST /buckets/${bucketId}/multipart/${uploadId}/complete`, { body: {} })
  })
  assert.deepEqual(jump, [warning(95, 95_002)], 'a jump past both is one warning, of 95')
})

test('bandwidth: metered downloads warn likewise', async () => {
  const { api, at, warnings } = await withQuotas(100_000, 1000)
  await putObject(api, at('x'), Buffer.alloc(410))
  const download = (used: number) => async () => {
    await api(`GET ${at('x')}`)
    await eventually(async () =>
      assert.equal((await api('GET /usage/summary')).body.bandwidth_used_bytes, used),
    )
  }
  const warning = { kind: 'bandwidth', quota_bytes: 1000 }
  assert.deepEqual(await warnings(download(410)), [])
  assert.deepEqual(await warnings(download(820)), [{ ...warning, percent: 80, used_bytes: 820 }])
  assert.deepEqual(await warnings(download(1230)), [{ ...warning, percent: 95, used_bytes: 1230 }])
})

test('a smaller plan warns, and a larger one makes the next crossing a warning again', async () => {
  const { api, at, warnings, organization } = await withQuotas(100_000)
  await putObject(api, at('x'), Buffer.alloc(50_000))
  const quota = (bytes: number) => system.sql`
    update storage.organizations set storage_quota_bytes = ${bytes} where id = ${organization.id}`
  assert.deepEqual(
    (await warnings(() => quota(60_000))).map(({ percent }) => percent),
    [80],
  )
  assert.deepEqual(await warnings(() => quota(100_000)), [])
  assert.deepEqual(
    (await warnings(() => quota(50_000))).map(({ percent }) => percent),
    [95],
  )
})

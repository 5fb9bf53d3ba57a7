import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectChecks } from '#storage/verify/object-checks-store.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath, putObject } from '#test/support/storage.ts'

/** Requests that meet in one statement, or in several at once: each gets what it would get alone. */

const system = await boot()
type Owner = Awaited<ReturnType<typeof storageOwner>>
const owner = await storageOwner(system)
const { api } = owner

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))
const countBy = (answers: { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, of]) => [status, of.length]),
  )
const leaveRoom = (bytes: number, { organization }: Owner) => system.sql`
  update storage.organizations set storage_quota_bytes = storage_used_bytes + ${bytes} where id = ${organization.id}`
const usedBy = async ({ api: as }: Owner) =>
  (await as('GET /usage/summary')).body.storage_used_bytes as number

const everythingAddsUp = async () => {
  for (const [invariant, check] of Object.entries(objectChecks))
    assert.deepEqual([...(await check(system.sql))], [], invariant)
}

test('of 60 parallel uploads at the edge of a bucket quota, exactly those that fit are stored', async () => {
  const id = await createBucket(api, 'edge-of-bucket', { storageQuotaBytes: 1000 })
  const answers = await times(60, (n) => api(`PUT ${objectPath(id, `k${n}`)}`, { raw: 'x'.repeat(100) }))
  assert.deepEqual(countBy(answers), { 201: 10, 403: 50 })
  const { object_count, total_size_bytes } = (await api(`GET /buckets/${id}`)).body
  assert.deepEqual({ object_count, total_size_bytes }, { object_count: 10, total_size_bytes: 1000 })
  await everythingAddsUp()
})

test('of 60 parallel uploads at the edge of an organization quota, exactly those that fit are stored', async () => {
  const poor = await storageOwner(system)
  const ids = await times(3, (n) => createBucket(poor.api, `edge-of-organization-${n}`))
  await leaveRoom(100_000, poor)
  const answers = await times(60, (n) =>
    poor.api(`PUT ${objectPath(ids[n % 3] as string, `k${n}`)}`, { raw: 'x'.repeat(10_000) }),
  )
  assert.deepEqual(countBy(answers), { 201: 10, 403: 50 })
  assert.equal(await usedBy(poor), 100_000)
  await everythingAddsUp()
})

test('an upload that does not fit does not keep smaller ones, sent at the same moment, from being stored', async () => {
  const id = await createBucket(api, 'one-too-large', { storageQuotaBytes: 2000 })
  const answers = await times(20, (n) =>
    api(`PUT ${objectPath(id, `k${n}`)}`, { raw: 'x'.repeat(n === 7 ? 3000 : 100) }),
  )
  assert.deepEqual(answers.map(({ status }) => status), Array.from({ length: 20 }, (_, n) => (n === 7 ? 403 : 201))) // biome-ignore format: one line
  await everythingAddsUp()
})

test('uploads that are refused for different reasons do not affect those that are sent with them', async () => {
  const id = await createBucket(api, 'reasons')
  await putObject(api, objectPath(id, 'there'), 'first')
  const answers = await Promise.all([
    api(`PUT ${objectPath(id, 'new')}`, { raw: 'x' }),
    api(`PUT ${objectPath(id, 'there')}`, { raw: 'x', headers: { 'if-none-match': '*' } }),
    api(`PUT ${objectPath(id, 'missing')}`, { raw: 'x', headers: { 'if-match': '*' } }),
    api(`PUT ${objectPath(id, 'digest')}`, {
      raw: 'x',
      headers: { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' },
    }),
    api(`POST ${objectPath(id, 'there')}/copy`, { body: { destinationKey: 'copy' } }),
  ])
  assert.deepEqual(answers.map(({ status }) => status), [201, 412, 412, 400, 201]) // biome-ignore format: one line
})

test('organizations that write at the same moment get their own quotas and counters', async () => {
  const owners = await times(6, () => storageOwner(system))
  const ids = await Promise.all(owners.map(({ api: as }) => createBucket(as, 'mine')))
  await Promise.all(owners.map((one, n) => (n % 2 === 0 ? leaveRoom(50_000, one) : undefined)))
  const statuses = await Promise.all(
    owners.map(({ api: as }, n) =>
      times(10, (k) => as(`PUT ${objectPath(ids[n] as string, `k${k}`)}`, { raw: 'x'.repeat(10_000) })).then(
        countBy,
      ),
    ),
  )
  for (const [n, found] of statuses.entries())
    assert.deepEqual(found, n % 2 === 0 ? { 201: 5, 403: 5 } : { 201: 10 })
  assert.deepEqual(
    await Promise.all(owners.map(usedBy)),
    [5, 10, 5, 10, 5, 10].map((count) => count * 10_000),
  )
  await everythingAddsUp()
})

for (const versioningEnabled of [true, false])
  test(`parallel overwrites, copies, moves and deletes of a few keys add up, ${versioningEnabled ? 'with' : 'without'} versions`, async () => {
    const here = await createBucket(api, `here-${versioningEnabled}`, { versioningEnabled })
    const there = await createBucket(api, `there-${versioningEnabled}`, { versioningEnabled })
    const key = (n: number) => `hot-${n % 4}`
    const answers = await times(120, (n) => {
      const path = objectPath(n % 2 === 0 ? here : there, key(n))
      const to = { destinationKey: key(n + 1), destinationBucketId: n % 3 === 0 ? here : there }
      switch (n % 6) {
        case 1:
          return api(`POST ${path}/copy`, { body: to })
        case 2:
          return api(`POST ${path}/move`, { body: to })
        case 3:
          return api(`DELETE ${path}`)
        case 4:
          return api(`POST /buckets/${here}/objects/delete`, { body: { keys: [0, 1, 2, 3].map(key) } })
        default:
          return api(`PUT ${path}`, { raw: 'x'.repeat(1 + n) })
      }
    })
    for (const { status, text } of answers) assert.ok([200, 201, 400, 404].includes(status), text)
    await everythingAddsUp()
    for (const id of [here, there]) {
      const listed = (await api(`GET /buckets/${id}/objects?prefix=hot&limit=100`)).body
      assert.equal(listed.total, listed.objects.length)
      for (const { objectKey, etag } of listed.objects) {
        const { status, headers } = await api(`GET ${objectPath(id, objectKey)}`)
        assert.deepEqual([status, headers.get('etag')], [200, `"${etag}"`])
      }
    }
  })

test('of parallel uploads that each expect the content before them, one succeeds for each content', async () => {
  const id = await createBucket(api, 'chain')
  let { etag } = await putObject(api, objectPath(id, 'x'), 'start')
  for (let round = 0; round < 5; round++) {
    const answers = await times(8, (n) =>
      api(`PUT ${objectPath(id, 'x')}`, { raw: `${round} ${n}`, headers: { 'if-match': `"${etag}"` } }),
    )
    assert.deepEqual(countBy(answers), { 200: 1, 412: 7 })
    etag = answers.find(({ status }) => status === 200)?.body.etag
  }
})

test('a batch delete of 1000 keys beside uploads of the same keys adds up', async () => {
  const id = await createBucket(api, 'thousand')
  const keys = Array.from({ length: 1000 }, (_, n) => `k${n}`)
  await times(60, (n) => putObject(api, objectPath(id, `k${n * 16}`), 'x'))
  const [answer] = await Promise.all([
    api(`POST /buckets/${id}/objects/delete`, { body: { keys } }),
    times(60, (n) => putObject(api, objectPath(id, `k${n * 16}`), 'xyz')),
  ])
  assert.equal(answer.status, 200)
  assert.equal(answer.body.deleted.length, 60)
  assert.equal(answer.body.errors.length, 940)
  await everythingAddsUp()
})

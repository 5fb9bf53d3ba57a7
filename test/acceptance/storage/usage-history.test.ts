import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storage as storageService } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const dayMs = 86_400_000
const today = (days = 0) => new Date(system.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)

/** Noon of the first day of a month, so that a few days stay within it. */
const startOfMonth = () => {
  const now = system.clock.now()
  system.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - now.getTime())
}

type Owner = Awaited<ReturnType<typeof storageOwner>>

/** With a key, because a token does not live for days. */
const lastingOwner = async () => {
  const { api } = await storageOwner(system)
  const { key } = (await api('POST /auth/api-keys', { body: {} })).body
  return { api: system.storage.with({ 'x-api-key': key }) }
}
const historyOf = async ({ api }: Pick<Owner, 'api'>, query = '') =>
  (await api(`GET /usage/history${query}`)).body
const daysOf = async (owner: Pick<Owner, 'api'>, query = '') =>
  ((await historyOf(owner, query)).days as Record<string, number | string>[]).map(
    ({ day, stored_bytes, object_count, uploaded_bytes, downloaded_bytes, bandwidth_used_bytes }) => [
      day,
      stored_bytes,
      object_count,
      uploaded_bytes,
      downloaded_bytes,
      bandwidth_used_bytes,
    ],
  )

test('a new organization has one day of usage, with nothing on it and the quotas of its plan', async () => {
  const owner = await storageOwner(system)
  const { status, body } = await owner.api('GET /usage/history')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    from: today(-29),
    to: today(),
    storage_quota_bytes: 5 * 1024 ** 3,
    bandwidth_quota_bytes: 10 * 1024 ** 3,
    days: [
      {
        day: today(),
        stored_bytes: 0,
        object_count: 0,
        uploaded_bytes: 0,
        downloaded_bytes: 0,
        bandwidth_used_bytes: 0,
      },
    ],
  })
})

test('usage by day tells what was stored at its end, and what was transferred on it', async () => {
  startOfMonth()
  const owner = await lastingOwner()
  const { api } = owner
  const bucket = await createBucket(api, 'history')
  const put = (key: string, size: number) =>
    api(`PUT /buckets/${bucket}/objects/${key}`, { raw: Buffer.alloc(size) })
  const first = today()
  await put('a', 1000)
  await put('a', 3000)
  await put('b', 500)
  await api(`GET /buckets/${bucket}/objects/b`)
  await eventually(async () =>
    assert.deepEqual(await daysOf(owner), [[first, 4500, 2, 4500, 500, 500]], 'an old version is kept'),
  )

  system.clock.advance(2 * dayMs)
  const third = today()
  assert.deepEqual(await daysOf(owner), [
    [first, 4500, 2, 4500, 500, 500],
    [today(-1), 4500, 2, 0, 0, 500],
    [third, 4500, 2, 0, 0, 500],
  ])
  await api(`GET /buckets/${bucket}/objects/a`)
  await eventually(async () =>
    assert.deepEqual((await daysOf(owner)).at(-1), [third, 4500, 2, 0, 3000, 3500]),
  )
  await api(`POST /buckets/${bucket}/objects/b/copy`, { body: { destinationKey: 'c' } })
  await api(`DELETE /buckets/${bucket}/objects/a?permanent=true`)
  assert.deepEqual(await daysOf(owner), [
    [first, 4500, 2, 4500, 500, 500],
    [today(-1), 4500, 2, 0, 0, 500],
    [third, 1000, 2, 0, 3000, 3500],
  ])

  system.clock.advance(40 * dayMs)
  const all = await daysOf(owner, `?from=${first}&to=${today()}`)
  assert.equal(all.length, 43)
  const nextMonth = all.findIndex(([day]) => String(day).slice(0, 7) !== first.slice(0, 7))
  assert.deepEqual(all[nextMonth - 1]!.slice(1), [1000, 2, 0, 0, 3500], 'until the end of the month')
  assert.deepEqual(all[nextMonth]!.slice(1), [1000, 2, 0, 0, 0], 'bandwidth begins anew with a month')
  assert.deepEqual(await daysOf(owner, `?from=${third}&to=${third}`), [[third, 1000, 2, 0, 3000, 3500]])
  assert.deepEqual(await storageService.verify?.(storageService.context(system.platform)), [])
})

test('parts of an upload count once as uploaded, when they arrive', async () => {
  const owner = await storageOwner(system)
  const { api } = owner
  const bucket = await createBucket(api, 'parts')
  const { uploadId } = (
    await api(`POST /buckets/${bucket}/multipart/initiate`, { body: { objectKey: 'whole' } })
  ).body
  await api(`PUT /buckets/${bucket}/multipart/${uploadId}/parts/1`, { raw: Buffer.alloc(700) })
  assert.deepEqual(await daysOf(owner), [[today(), 700, 0, 700, 0, 0]])
  assert.equal(
    (await api(`POST /buckets/${bucket}/multipart/${uploadId}/complete`, { body: {} })).status,
    201,
  )
  assert.deepEqual(await daysOf(owner), [[today(), 700, 1, 700, 0, 0]])
})

test('parallel uploads on a new day count exactly, and the day before is kept once', async () => {
  const owner = await lastingOwner()
  const { api } = owner
  const bucket = await createBucket(api, 'parallel')
  const put = (key: string) => api(`PUT /buckets/${bucket}/objects/${key}`, { raw: Buffer.alloc(10) })
  await put('first')
  system.clock.advance(dayMs)
  await Promise.all(Array.from({ length: 20 }, (_, n) => put(`key-${n}`)))
  assert.deepEqual(await daysOf(owner), [
    [today(-1), 10, 1, 10, 0, 0],
    [today(), 210, 21, 200, 0, 0],
  ])
})

test('what a quota refuses is not counted as uploaded', async () => {
  const owner = await storageOwner(system)
  const { api } = owner
  const { id } = (await api('POST /buckets', { body: { name: 'full', storageQuotaBytes: 5 } })).body
  assert.equal((await api(`PUT /buckets/${id}/objects/x`, { raw: Buffer.alloc(6) })).status, 403)
  assert.deepEqual(await daysOf(owner), [[today(), 0, 0, 0, 0, 0]])
})

test('a range of days is checked: its order, its length and its dates', async () => {
  const { api } = await storageOwner(system)
  const from = today(-365)
  assert.equal((await api(`GET /usage/history?from=${from}&to=${today()}`)).status, 200)
  for (const query of [
    `from=${today(-366)}&to=${today()}`,
    `from=${today()}&to=${today(-1)}`,
    'from=2026-02-30',
    'to=0000-01-01',
    'from=yesterday',
    'to=',
  ]) {
    const { status, body } = await api(`GET /usage/history?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.message, /^(from|to) /, query)
  }
  assert.deepEqual((await historyOf({ api }, `?from=${today(1)}&to=${today(3)}`)).days, [])
  assert.deepEqual((await historyOf({ api }, '?to=2001-01-01')).days, [])
})

test('usage by day is read by every member, and by nobody without credentials', async () => {
  const { api } = await storageOwner(system)
  const member = { fullName: 'Mem Ber', email: 'history@example.com', password: 'correct horse' }
  assert.equal((await api('POST /members', { body: member })).status, 201)
  const { token } = (await system.storage('POST /auth/login', { body: member })).body
  assert.equal((await system.storage.bearer(token)('GET /usage/history')).status, 200)
  assert.equal((await system.storage('GET /usage/history')).status, 401)
})

test('the first upload of a day begins that day without the downloads of the day before', async () => {
  const owner = await lastingOwner()
  const { api } = owner
  const path = `/buckets/${await createBucket(api, 'midnight')}/objects/x`
  await api(`PUT ${path}`, { raw: Buffer.alloc(10) })
  assert.equal((await api(`GET ${path}`)).status, 200)
  await eventually(async () => assert.equal((await historyOf(owner)).days[0].downloaded_bytes, 10))
  system.clock.advance(dayMs)
  await api(`PUT ${path}2`, { raw: Buffer.alloc(5) })
  const { days } = await historyOf(owner, `?from=${today(-1)}&to=${today()}`)
  assert.deepEqual(
    days.map((d: Record<string, unknown>) => [d.day, d.uploaded_bytes, d.downloaded_bytes]),
    [
      [today(-1), 10, 10],
      [today(), 5, 0],
    ],
  )
})

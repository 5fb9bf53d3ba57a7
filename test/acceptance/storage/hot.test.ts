import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { planChanged } from '#storage/billing/plans.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectsIn, putObject } from '#test/support/storage.ts'

/** Objects that are read often are served from memory. Clients must see no difference but the speed. */
const system = await boot({ env: { RATE_LIMITS: 'on' } })
const { api } = await storageOwner(system)
const base = system.urls.storage
const bucketId = await createBucket(api, 'hot')
const at = objectsIn(bucketId)
const put = (key: string, raw: string) => putObject(api, at(key), raw, { 'x-meta-author': 'Ada' })
const newKey = async () =>
  (await api('POST /auth/api-keys', { body: {} })).body as { id: string; key: string }
const read = async (key: string, path: string, more: Record<string, string> = {}) => {
  const answer = await fetch(base + path, { headers: { 'x-api-key': key, ...more } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const heat = async (key: string, path: string) => {
  for (let n = 0; n < 3; n++) assert.equal((await read(key, path)).status, 200)
}

test('a download from memory has the same status, headers and body as the first one', async () => {
  const { key } = await newKey()
  await put('same.txt', 'the same')
  const first = await read(key, at('same.txt'))
  const second = await read(key, at('same.txt'))
  const told = ({ headers }: { headers: Headers }) => ({
    ...Object.fromEntries(headers),
    date: '',
    'x-request-id': '',
    'ratelimit-remaining': '',
    ratelimit: '',
  })
  assert.deepEqual(told(second), told(first))
  assert.equal(second.text, 'the same')
  const remaining = (answer: { headers: Headers }) => Number(answer.headers.get('ratelimit-remaining'))
  assert.equal(remaining(second), remaining(first) - 1)
  assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'))
  const named = await read(key, at('same.txt'), { 'x-request-id': 'mine', origin: 'https://a.example' })
  assert.equal(named.headers.get('x-request-id'), 'mine')
  assert.equal(named.headers.get('access-control-expose-headers'), '*')
})

test('a change of an object is visible in the next download from memory', async () => {
  const { key } = await newKey()
  await put('changing.txt', 'before')
  await heat(key, at('changing.txt'))
  await put('changing.txt', 'afterwards')
  assert.equal((await read(key, at('changing.txt'))).text, 'afterwards')
  await heat(key, at('changing.txt'))
  const part = await read(key, at('changing.txt'), { range: 'bytes=0-4' })
  assert.deepEqual([part.status, part.text], [206, 'after'])
  const etag = (await read(key, at('changing.txt'))).headers.get('etag') as string
  assert.equal((await read(key, at('changing.txt'), { 'if-none-match': etag })).status, 304)
  assert.equal((await read(key, at('changing.txt'), { 'if-match': '"other"' })).status, 412)
  assert.equal((await api(`DELETE ${at('changing.txt')}`)).status, 200)
  assert.equal((await read(key, at('changing.txt'))).status, 404)
})

test('a download from memory is refused as soon as the reader loses the right', async () => {
  const [mine, other] = [await newKey(), await newKey()]
  const stranger = await storageOwner(system)
  const theirs = (await stranger.api('POST /auth/api-keys', { body: {} })).body.key as string
  await put('guarded.txt', 'guarded')
  await heat(mine.key, at('guarded.txt'))
  await heat(other.key, at('guarded.txt'))
  assert.equal((await read(theirs, at('guarded.txt'))).status, 404)
  assert.equal((await read(`${mine.key}x`, at('guarded.txt'))).status, 401)
  assert.equal((await fetch(base + at('guarded.txt'))).status, 401)

  const deny = { effect: 'deny', action: 'object.read', subjectType: 'api_key', subjectId: mine.id, resourceType: 'object', resourceId: '*' } // biome-ignore format: one line
  const policy = await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [deny] } })
  assert.equal(policy.status, 200, policy.text)
  assert.equal((await read(mine.key, at('guarded.txt'))).status, 403)
  assert.equal((await read(other.key, at('guarded.txt'))).status, 200)
  assert.equal((await api(`DELETE /auth/api-keys/${other.id}`)).status, 200)
  assert.equal((await read(other.key, at('guarded.txt'))).status, 401)
})

test('downloads from memory are rate-limited, metered and audited', async () => {
  const { key } = await newKey()
  await put('counted.txt', '0123456789')
  await read(key, at('counted.txt'))
  const answers: number[] = []
  while (answers.length < 1250) {
    const more = await Promise.all(Array.from({ length: 50 }, () => read(key, at('counted.txt'))))
    answers.push(...more.map(({ status }) => status))
  }
  assert.equal(answers.filter((status) => status === 200).length, 1199)
  assert.equal(answers.filter((status) => status === 429).length, 51)
  const recorded = await recordedDownloads('counted.txt', 1200)
  assert.deepEqual(recorded, { downloads: 1200, bytes: 12_000 })
})

type Row = { id: string; payload: { bytesSent: number; downloads?: number } }

/** Downloads are recorded a moment later; of very many at once, some share a row. */
const recordedDownloads = async (key: string, expected: number) => {
  for (let tries = 0; ; tries++) {
    const found = new Map<string, Row>()
    for (let offset = 0, total = 1; offset < total; offset += 200) {
      const query = `action=object.downloaded&objectKey=${key}&limit=200&offset=${offset}`
      const { body } = await api(`GET /audit-logs?${query}`)
      for (const row of body.rows as Row[]) found.set(row.id, row)
      total = body.total
    }
    const rows = [...found.values()]
    const downloads = rows.reduce((sum, { payload }) => sum + (payload.downloads ?? 1), 0)
    const bytes = rows.reduce((sum, { payload }) => sum + payload.bytesSent, 0)
    if (downloads >= expected || tries === 100) return { downloads, bytes }
    await sleep(50)
  }
}

test('an object that is read often is never served to another organization, however warm that one is', async () => {
  const [{ key }, stranger] = [await newKey(), await storageOwner(system)]
  const theirs = (await stranger.api('POST /auth/api-keys', { body: {} })).body.key as string
  const own = objectsIn(await createBucket(stranger.api, 'hot'))
  await put('shared-name.txt', 'not theirs')
  await putObject(stranger.api, own('shared-name.txt'), 'theirs')
  await heat(theirs, own('shared-name.txt'))
  await heat(key, at('shared-name.txt'))
  for (let n = 0; n < 3; n++) {
    const { status, text } = await read(theirs, at('shared-name.txt'))
    assert.equal(status, 404)
    assert.ok(!text.includes('not theirs'))
  }
})

test('downloads from memory end with the bandwidth of the plan', async () => {
  const poor = await storageOwner(system)
  const { key } = (await poor.api('POST /auth/api-keys', { body: {} })).body
  const path = objectsIn(await createBucket(poor.api, 'metered'))('k')
  await putObject(poor.api, path, 'x'.repeat(1000))
  await system.sql`
    update storage.organizations set bandwidth_quota_bytes = 5000 where id = ${poor.organization.id}`
  await system.platform.db.transaction((tx) => planChanged(system.platform, tx, poor.organization.id))
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await read(key, path)).status)
  assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(7).fill(403)])
})

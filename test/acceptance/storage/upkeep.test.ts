import assert from 'node:assert/strict'
import { mkdir, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { movableClock } from '#platform/clock.ts'
import { storage } from '#storage/app.ts'
import { sweepBlobs } from '#storage/blobs/upkeep.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectsIn } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'
import { planEnds } from './plan.ts'

const system = await boot()
const { api, token, organization } = await storageOwner(system)
const { ctx, engine, held, overwrite } = bytesOf(system)
const day = 24 * 3600_000
const bucketId = await createBucket(api, 'upkeep')
const at = objectsIn(bucketId)
const big = Buffer.alloc(100_000, 'b')
/** Advances the clock, and extends the plan, which would expire otherwise. */
const passDays = async (days: number) => {
  system.clock.advance(days * day)
  await planEnds(system, organization.id, new Date(system.clock.now().getTime() + 99 * day))
}
const signIn = async () => {
  const { email } = (
    await system.sql`select email from storage.users where org_id = ${organization.id}`
  )[0] as { email: string }
  const { body } = await system.storage('POST /auth/login', { body: { email, password: 'correct horse' } })
  return system.storage.bearer(body.token)
}

test('downloads are metered by the bytes that were sent, and audited', async () => {
  await api(`PUT ${at('metered')}`, { raw: big })
  await api(`GET ${at('metered')}`)
  await api(`GET ${at('metered')}`, { headers: { range: 'bytes=0-99' } })
  await api(`HEAD ${at('metered')}`)
  const used = async () => (await api('GET /usage/summary')).body.bandwidth_used_bytes as number
  await eventually(async () => assert.equal(await used(), 100_100))
  const { rows } = (await api('GET /audit-logs?action=object.downloaded')).body
  assert.deepEqual(
    rows
      .map((row: { payload: { bytesSent: number; objectKey: string } }) => [
        row.payload.objectKey,
        row.payload.bytesSent,
      ])
      .sort(),
    [
      ['metered', 100],
      ['metered', 100_000],
    ],
  )
  const huge = Buffer.alloc(50_000_000)
  await api(`PUT ${at('huge')}`, { raw: huge })
  const { hostname, port } = new URL(system.urls.storage)
  await new Promise<void>((resolve) => {
    const req = request(
      { hostname, port, path: at('huge'), headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        answer.once('data', () => {
          req.destroy()
          resolve()
        })
      },
    )
    req.end()
  })
  const part = await eventually(async () => {
    const more = (await used()) - 100_100
    assert.ok(more > 0)
    return more
  })
  assert.ok(part < 25_000_000, String(part))
})

test('downloads over the bandwidth quota are refused until the next month', async () => {
  await system.sql`update storage.organizations set bandwidth_quota_bytes = bandwidth_used_bytes where id = ${organization.id}`
  system.clock.advance(6_000)
  assert.equal((await api(`GET ${at('metered')}`)).status, 403)
  assert.equal((await api(`HEAD ${at('metered')}`)).status, 200)
  await passDays(31)
  const again = await signIn()
  assert.equal((await again('GET /usage/summary')).body.bandwidth_used_bytes, 0)
  assert.equal((await again(`GET ${at('metered')}`)).status, 200)
  await system.sql`update storage.organizations set bandwidth_quota_bytes = 1e12 where id = ${organization.id}`
})

test('deleted objects and old versions are purged after 30 days, unfinished uploads after 7, then their bytes', async () => {
  let me = await signIn()
  await me(`PUT ${at('kept')}`, { raw: 'old version' })
  await me(`PUT ${at('kept')}`, { raw: 'current' })
  await me(`PUT ${at('deleted')}`, { raw: big })
  await me(`DELETE ${at('deleted')}`)
  const { uploadId } = (
    await me(`POST /buckets/${bucketId}/multipart/initiate`, { body: { objectKey: 'p' } })
  ).body
  await me(`PUT /buckets/${bucketId}/multipart/${uploadId}/parts/1`, { raw: '12345' })
  const before = (await me('GET /usage/summary')).body.storage_used_bytes
  await passDays(6.9)
  await tidy(ctx)
  me = await signIn()
  assert.equal((await me('GET /usage/summary')).body.storage_used_bytes, before)
  await passDays(0.2)
  await tidy(ctx)
  me = await signIn()
  assert.equal((await me(`GET /buckets/${bucketId}/multipart/${uploadId}`)).body.status, 'failed')
  assert.equal((await me('GET /usage/summary')).body.storage_used_bytes, before - 5)
  await passDays(22.8)
  await tidy(ctx)
  me = await signIn()
  assert.equal((await me(`POST ${at('deleted')}/recover`)).status, 200, 'still there on day 29.9')
  await me(`DELETE ${at('deleted')}`)
  await passDays(31)
  const blobsBefore = (await held()).length
  await tidy(ctx)
  me = await signIn()
  assert.equal((await me(`POST ${at('deleted')}/recover`)).status, 404)
  assert.equal((await me(`GET /buckets/${bucketId}/versions?objectKey=kept`)).body.length, 1)
  assert.equal((await me('GET /usage/summary')).body.storage_used_bytes, before - 5 - big.length - 11)
  assert.equal((await held()).length, blobsBefore, 'the bytes stay for an hour')
  system.clock.advance(3_700_000)
  await tidy(ctx)
  assert.equal((await held()).length, blobsBefore - 1)
  assert.deepEqual(await storage.verify(ctx), [])
})

test('ended uploads are deleted 30 days after their end; their objects stay', async () => {
  let me = await signIn()
  const root = `/buckets/${bucketId}/multipart`
  const begin = async (objectKey: string) => {
    const { uploadId } = (await me(`POST ${root}/initiate`, { body: { objectKey } })).body
    await me(`PUT ${root}/${uploadId}/parts/1`, { raw: 'part' })
    return uploadId as string
  }
  const [completed, aborted, expired] = [await begin('done'), await begin('given-up'), await begin('left')]
  await passDays(6)
  me = await signIn()
  assert.equal((await me(`POST ${root}/${completed}/complete`)).status, 201)
  assert.equal((await me(`DELETE ${root}/${aborted}`)).status, 200)
  await passDays(29.9)
  await tidy(ctx)
  me = await signIn()
  assert.equal((await me(`POST ${root}/${completed}/complete`)).status, 200, 'not of its beginning')
  for (const id of [aborted, expired]) assert.equal((await me(`GET ${root}/${id}`)).body.status, 'failed')
  await passDays(0.2)
  await tidy(ctx)
  me = await signIn()
  const listed = (await me('GET /uploads')).body.map((session: { uploadId: string }) => session.uploadId)
  assert.deepEqual(
    [listed.includes(completed), listed.includes(aborted), listed.includes(expired)],
    [false, false, true],
  )
  for (const call of [
    `GET ${root}/${completed}`,
    `POST ${root}/${completed}/complete`,
    `DELETE ${root}/${aborted}`,
  ])
    assert.equal((await me(call)).status, 404, call)
  assert.equal((await me(`GET ${at('done')}`)).text, 'part')
  await passDays(30)
  await tidy(ctx)
  me = await signIn()
  assert.equal((await me(`GET ${root}/${expired}`)).status, 404)
  const kept =
    await system.sql`select id from storage.uploads where id in (${completed}, ${aborted}, ${expired})`
  assert.equal(kept.length, 0)
  assert.deepEqual(await storage.verify(ctx), [])
})

test('bytes without a row are swept, but not while an upload may still be storing them', async () => {
  const id = '01900000-0000-7000-8000-0000000000ab'
  const real = bytesOf({ ...system, clock: movableClock() })
  await overwrite(id, Buffer.from('orphan'))
  await sweepBlobs(real.ctx)
  assert.ok((await held()).includes(id))
  const found = await storage.verify(ctx)
  assert.deepEqual(
    found.map(({ subject }) => subject),
    [id],
  )
  const count = (await held()).length
  await sweepBlobs(ctx)
  assert.equal((await held()).length, count - 1)
  assert.deepEqual(await storage.verify(ctx), [])
})

test('a damaged blob is reported by verify and not served', async () => {
  const me = await signIn()
  await me(`PUT ${at('hurt')}`, { raw: Buffer.alloc(2_000_000, 'h') })
  const [row] = await system.sql<{ id: string }[]>`
    select b.id from storage.objects o join storage.blobs b on b.id = o.blobs[1] where o.object_key = 'hurt'`
  const id = row!.id
  await overwrite(id, Buffer.alloc(1_999_999, 'h'))
  assert.equal((await me(`GET ${at('hurt')}`)).status, 500)
  await overwrite(id, Buffer.alloc(2_000_000, 'x'))
  const findings = await storage.verify(ctx)
  assert.deepEqual(
    findings.map(({ subject }) => subject),
    [id],
  )
  const answer = await me(`GET ${at('hurt')}`)
  assert.deepEqual([answer.status, answer.body.message], [500, 'The stored content is damaged'])
  await engine.remove(id)
  assert.equal((await storage.verify(ctx)).length, 1)
  assert.equal((await me(`GET ${at('hurt')}`)).status, 500)
  await overwrite(id, Buffer.alloc(2_000_000, 'h'))
  assert.deepEqual(await storage.verify(ctx), [])
  assert.equal((await me(`GET ${at('hurt')}`)).status, 200)
})

test('files: drafts of dead processes are swept', async (t) => {
  const node = await boot({ env: { BLOBS_URL: 'file:' }, t })
  const drafts = join(node.dataDir, 'blobs', 'drafts')
  await mkdir(drafts, { recursive: true })
  const old = new Date(Date.now() - 2 * day)
  for (const name of ['elsewhere.1.old', 'elsewhere.1.new']) await writeFile(join(drafts, name), 'draft')
  await utimes(join(drafts, 'elsewhere.1.old'), old, old)
  await sweepBlobs(bytesOf(node).ctx)
  assert.deepEqual(await readdir(drafts), ['elsewhere.1.new'])
})

test('files: behind nginx downloads are handed over with X-Accel-Redirect', async (t) => {
  const node = await boot({ env: { BLOBS_URL: 'file:', STORAGE_ACCEL_PREFIX: '/blobs' }, t })
  const me = (await storageOwner(node)).api
  const id = await createBucket(me, 'front')
  await me(`PUT /buckets/${id}/objects/large`, { raw: big })
  await me(`PUT /buckets/${id}/objects/small`, { raw: 'small' })
  const answer = await me(`GET /buckets/${id}/objects/large`)
  assert.equal(answer.text, '')
  assert.match(answer.headers.get('x-accel-redirect') ?? '', /^\/blobs\/[0-9a-f]{2}\/[0-9a-f-]{36}$/)
  assert.ok(answer.headers.get('etag'))
  assert.equal((await me(`GET /buckets/${id}/objects/small`)).text, 'small', 'small ones are sent as ever')
  const file = join(
    node.dataDir,
    'blobs',
    (answer.headers.get('x-accel-redirect') as string).slice('/blobs/'.length),
  )
  await truncate(file, big.length - 1)
  const refused = await me(`GET /buckets/${id}/objects/large`)
  assert.deepEqual(
    [refused.status, refused.body.message],
    [500, 'The stored content is damaged'],
    'cut short',
  )
  await rm(file)
  assert.equal((await me(`GET /buckets/${id}/objects/large`)).status, 500, 'gone')
})

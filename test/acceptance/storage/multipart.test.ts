import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { storage } from '#storage/app.ts'
import { sweepBlobs } from '#storage/blobs/upkeep.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'
import { planEnds } from './plan.ts'

const system = await boot()
const { api, token, organization } = await storageOwner(system)
const bucketId = await createBucket(api, 'parts', { versioningEnabled: false })
const root = `/buckets/${bucketId}/multipart`
const begin = async (objectKey: string, more: object = {}) => {
  const { status, body, text } = await api(`POST ${root}/initiate`, { body: { objectKey, ...more } })
  assert.equal(status, 201, text)
  return body
}
const part = (uploadId: string, n: number | string, raw: Buffer | string, headers = {}) =>
  api(`PUT ${root}/${uploadId}/parts/${n}`, { raw: raw as never, headers })
const complete = (uploadId: string, parts?: object[]) =>
  api(`POST ${root}/${uploadId}/complete`, { body: parts ? { parts } : {} })
const used = async () => (await api('GET /usage/summary')).body.storage_used_bytes as number
const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest()

test('parts become one object in the order of their numbers, also with gaps', async () => {
  const session = await begin('big/file.bin', {
    totalSizeBytes: 300_000 + 10 + 200_000,
    contentType: 'video/x',
  })
  assert.deepEqual(
    [session.status, session.objectKey, session.bucketId, session.totalSizeBytes],
    ['pending', 'big/file.bin', bucketId, 500_010],
  )
  const [one, two, three] = [
    Buffer.alloc(300_000, 'a'),
    Buffer.from('0123456789'),
    Buffer.alloc(200_000, 'c'),
  ]
  const before = await used()
  const sent = await part(session.uploadId, 900, three)
  assert.deepEqual(sent.body, { partNumber: 900, etag: md5(three).toString('hex'), sizeBytes: 200_000 })
  assert.equal((await part(session.uploadId, 1, 'to be replaced')).status, 200)
  assert.equal((await part(session.uploadId, 1, one)).status, 200)
  assert.equal((await part(session.uploadId, 7, two)).status, 200)
  assert.equal(await used(), before + 500_010)
  const parts = (await api(`GET ${root}/${session.uploadId}/parts`)).body.parts
  assert.deepEqual(
    parts.map((p: { partNumber: number }) => p.partNumber),
    [1, 7, 900],
  )
  assert.deepEqual((await api(`GET ${root}/${session.uploadId}`)).body.parts, parts)
  const done = await complete(
    session.uploadId,
    parts.map(({ partNumber, etag }: { partNumber: number; etag: string }) => ({ partNumber, etag })),
  )
  assert.equal(done.status, 201, done.text)
  const etag = `${createHash('md5')
    .update(Buffer.concat([md5(one), md5(two), md5(three)]))
    .digest('hex')}-3`
  assert.deepEqual([done.body.etag, done.body.size_bytes, done.body.content_type], [etag, 500_010, 'video/x'])
  assert.equal(await used(), before + 500_010)
  const again = await api(`POST ${root}/${session.uploadId}/complete`)
  assert.deepEqual([again.status, again.body.id], [200, done.body.id])
  const fetched = (headers = {}) =>
    fetch(`${system.urls.storage}/buckets/${bucketId}/objects/big/file.bin`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  const whole = Buffer.concat([one, two, three])
  assert.deepEqual(Buffer.from(await (await fetched()).arrayBuffer()), whole)
  const range = await fetched({ range: 'bytes=299990-300020' })
  assert.equal(range.status, 206)
  assert.deepEqual(Buffer.from(await range.arrayBuffer()), whole.subarray(299_990, 300_021))
  assert.equal((await api(`DELETE ${root}/${session.uploadId}`)).status, 409)
  assert.equal((await part(session.uploadId, 1, 'late')).status, 409)
  assert.equal((await api(`GET ${root}/${session.uploadId}`)).body.status, 'completed')
})

test('an upload that cannot be completed is refused with the name of the field', async () => {
  const { uploadId } = await begin('told', { totalSizeBytes: 7 })
  const refusal = async (parts?: object[]) => {
    const { status, body } = await complete(uploadId, parts)
    assert.equal(status, 400)
    const [problem] = body.details
    assert.equal(body.message, `${problem.field} ${problem.reason}`)
    return problem.field
  }
  assert.equal(await refusal(), 'parts')
  const [one, two] = [(await part(uploadId, 1, 'one')).body, (await part(uploadId, 2, 'two')).body]
  assert.equal(await refusal(), 'totalSizeBytes')
  assert.equal(await refusal([two, one]), 'parts[1].partNumber')
  assert.equal(await refusal([one, one]), 'parts[1].partNumber')
  assert.equal(await refusal([one, { partNumber: 3, etag: two.etag }]), 'parts[1].partNumber')
  assert.equal(await refusal([one, { partNumber: 2, etag: one.etag }]), 'parts[1].etag')
  assert.equal((await api(`GET ${root}/${uploadId}`)).body.status, 'pending')
  await part(uploadId, 2, 'four')
  assert.equal((await complete(uploadId)).status, 201)
})

test('completing an upload with a wrong etag, order or size gets 400, and it stays pending', async () => {
  const { uploadId } = await begin('wrong', { totalSizeBytes: 4 })
  assert.equal((await complete(uploadId)).status, 400)
  const a = (await part(uploadId, 1, 'ab')).body
  const b = (await part(uploadId, 2, 'c')).body
  assert.equal((await complete(uploadId)).status, 400, 'size')
  await part(uploadId, 2, 'cd')
  assert.equal((await complete(uploadId, [a, b])).status, 400, 'etag')
  const second = (await api(`GET ${root}/${uploadId}/parts`)).body.parts[1]
  assert.equal((await complete(uploadId, [second, a])).status, 400, 'order')
  assert.equal(
    (await complete(uploadId, [a, second, { partNumber: 3, etag: a.etag }])).status,
    400,
    'missing',
  )
  assert.equal((await complete(uploadId, [])).status, 400, 'none')
  assert.equal((await api(`GET ${root}/${uploadId}`)).body.status, 'pending')
  assert.equal((await complete(uploadId, [a, second])).status, 201)
})

test('part numbers range from 1 to 10000, and digests of parts are checked', async () => {
  const { uploadId } = await begin('numbers')
  for (const [n, status] of [
    [0, 404],
    [10_001, 404],
    ['x', 404],
    [1, 200],
    [10_000, 200],
  ] as const)
    assert.equal((await part(uploadId, n, 'x')).status, status, String(n))
  assert.equal((await part(uploadId, 2, 'x', { 'content-md5': md5('y').toString('base64') })).status, 400)
  assert.equal((await part(crypto.randomUUID(), 1, 'x')).status, 404)
  for (const body of [
    {},
    { objectKey: '' },
    { objectKey: 'x'.repeat(1025) },
    { objectKey: 'x', totalSizeBytes: 0 },
    { objectKey: 'a\u0007' },
  ])
    assert.equal((await api(`POST ${root}/initiate`, { body })).status, 400, JSON.stringify(body))
})

test('an aborted upload frees its bytes; an old one fails by itself', async () => {
  const before = await used()
  const { uploadId } = await begin('aborted')
  await Promise.all(Array.from({ length: 20 }, (_, n) => part(uploadId, (n % 10) + 1, 'x'.repeat(n + 1))))
  const parts = (await api(`GET ${root}/${uploadId}/parts`)).body.parts as { sizeBytes: number }[]
  assert.equal(await used(), before + parts.reduce((sum, p) => sum + p.sizeBytes, 0))
  assert.deepEqual((await api(`DELETE ${root}/${uploadId}`)).body, { aborted: true })
  assert.equal(await used(), before)
  assert.equal((await api(`GET ${root}/${uploadId}`)).body.status, 'failed')
  assert.equal((await part(uploadId, 1, 'x')).status, 409)
  assert.equal((await complete(uploadId)).status, 409)
  const listed = (await api('GET /uploads')).body
  assert.equal(listed[0].uploadId, uploadId)
  assert.equal(listed[0].status, 'failed')
})

test('uploads of other organizations get 404', async () => {
  const { uploadId } = await begin('mine')
  const other = (await storageOwner(system)).api
  for (const call of [
    `GET ${root}/${uploadId}`,
    `GET ${root}/${uploadId}/parts`,
    `DELETE ${root}/${uploadId}`,
  ])
    assert.equal((await other(call)).status, 404, call)
  assert.equal((await other(`PUT ${root}/${uploadId}/parts/1`, { raw: 'x' })).status, 404)
  assert.equal((await other(`POST ${root}/${uploadId}/complete`, { body: {} })).status, 404)
  assert.deepEqual((await other('GET /uploads')).body, [])
})

test('completing an upload twice at the same time creates one object', async () => {
  const { uploadId } = await begin('race')
  await part(uploadId, 1, 'once')
  const answers = await Promise.all(Array.from({ length: 8 }, () => complete(uploadId)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
})

test('a part that is sent sixteen times at once is charged once', async () => {
  const before = await used()
  const { uploadId } = await begin('same-part')
  const answers = await Promise.all(Array.from({ length: 16 }, () => part(uploadId, 1, 'x'.repeat(1000))))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(await used(), before + 1000)
  assert.equal((await complete(uploadId)).status, 201)
  assert.equal(await used(), before + 1000)
})

test('an upload has failed when it is 7 days old, even before the cleanup job', async () => {
  const week = 7 * 24 * 3600_000
  const early = await begin('in time')
  const late = await begin('too late')
  const idle = await begin('idle')
  for (const { uploadId } of [early, late, idle]) assert.equal((await part(uploadId, 1, 'abc')).status, 200)
  const moveTo = async (session: { created_at: string }, age: number) => {
    const then = new Date(session.created_at).getTime() + age
    system.clock.advance(then - system.clock.now().getTime())
    await planEnds(system, organization.id, new Date(then + week))
    const { email } = (
      await system.sql`select email from storage.users where org_id = ${organization.id}`
    )[0]!
    const login = await system.storage('POST /auth/login', { body: { email, password: 'correct horse' } })
    return system.storage.bearer(login.body.token)
  }
  let me = await moveTo(early, week - 60_000)
  assert.equal((await me(`GET ${root}/${early.uploadId}`)).body.status, 'pending')
  assert.equal((await me(`PUT ${root}/${early.uploadId}/parts/2`, { raw: 'def' })).status, 200)
  assert.equal((await me(`POST ${root}/${early.uploadId}/complete`, { body: {} })).status, 201)
  me = await moveTo(idle, week)
  const kept = (await me('GET /usage/summary')).body.storage_used_bytes
  for (const { uploadId } of [late, idle]) {
    const { status, body } = await me(`GET ${root}/${uploadId}`)
    assert.deepEqual([status, body.status, body.parts], [200, 'failed', []])
    assert.deepEqual((await me(`GET ${root}/${uploadId}/parts`)).body.parts, [])
    assert.equal((await me(`PUT ${root}/${uploadId}/parts/1`, { raw: 'x' })).status, 409)
    const answer = await me(`POST ${root}/${uploadId}/complete`, { body: {} })
    assert.deepEqual([answer.status, answer.body.message], [409, 'The upload has failed'])
  }
  const listed = (await me('GET /uploads')).body as { uploadId: string; status: string }[]
  const statusOf = ({ uploadId }: { uploadId: string }) =>
    listed.find((session) => session.uploadId === uploadId)?.status
  assert.deepEqual([early, late, idle].map(statusOf), ['completed', 'failed', 'failed'])
  assert.deepEqual((await me(`DELETE ${root}/${late.uploadId}`)).body, { aborted: true })
  assert.equal(
    (await me('GET /usage/summary')).body.storage_used_bytes,
    kept - 3,
    'giving it up frees its bytes',
  )
  assert.equal((await me(`DELETE ${root}/${early.uploadId}`)).status, 409)
})

test('an upload that is completed while a part is sent again becomes an object of bytes that stay', async () => {
  const { key: secret } = (await (await storageOwner(system)).api('POST /auth/api-keys', { body: {} })).body
  // A token does not live as long as this test pretends to take.
  const lasting = system.storage.with({ 'x-api-key': secret })
  const bucket = await createBucket(lasting, 'part-races', { versioningEnabled: false })
  const uploads = `/buckets/${bucket}/multipart`
  const keys = await Promise.all(
    Array.from({ length: 20 }, async (_, round) => {
      const key = `part-race-${round}`
      const begun = await lasting(`POST ${uploads}/initiate`, { body: { objectKey: key } })
      const { uploadId } = begun.body
      const send = (letter: string) =>
        lasting(`PUT ${uploads}/${uploadId}/parts/1`, { raw: letter.repeat(5000) })
      const finish = () => lasting(`POST ${uploads}/${uploadId}/complete`, { body: {} })
      await send('a')
      const [completed] = await Promise.all([finish(), ...['b', 'c', 'd', 'e', 'f', 'g'].map(send)])
      assert.ok([201, 400, 409].includes(completed!.status), completed!.text)
      if (completed!.status !== 201) assert.equal((await finish()).status, 201)
      return key
    }),
  )
  // Two hours later everything that nothing refers to has been removed.
  system.clock.advance(2 * 3_600_000)
  const ctx = storage.context(system.platform)
  await tidy(ctx, AbortSignal.timeout(60_000))
  await sweepBlobs(ctx)
  for (const key of keys) {
    const { status, text } = await lasting(`GET /buckets/${bucket}/objects/${key}`)
    assert.equal(status, 200, key)
    assert.match(text, /^([a-g])\1{4999}$/)
  }
})

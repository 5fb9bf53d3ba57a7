import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storage } from '#storage/app.ts'
import { lockKeys } from '#storage/objects/heads.ts'
import { applyLifecycles, continueLifecycles } from '#storage/retention/sweep.ts'
import { tidy } from '#storage/upkeep.ts'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { hold, waitingForLocks } from '#test/support/locks.ts'
import { createBucket, objectsIn, putObject } from '#test/support/storage.ts'
import { bytesOf } from './bytes.ts'
import { effects } from './event-scene.ts'
import { planEnds } from './plan.ts'

const system = await boot()
const owner = await storageOwner(system)
const { body: key } = await owner.api('POST /auth/api-keys', { body: {} })
// Unlike a token, a key is valid however far the clock is moved.
const api = system.storage.with({ 'x-api-key': key.key })
const { ctx } = bytesOf(system)
const hour = 3600_000
const day = 24 * hour

const advance = async (ms: number) => {
  system.clock.advance(ms)
  await planEnds(system, owner.organization.id, new Date(system.clock.now().getTime() + 999 * day))
}
/** Moves to a time of the day, on the next day unless told. */
const moveTo = async (hours: number, days = 1) => {
  const now = system.clock.now().getTime()
  await advance((Math.floor(now / day) + days) * day + hours * hour - now)
}

/** A query for deleted objects would be one in Form R otherwise. */
const formS = { headers: { 'x-api-form': 'S' } }

let count = 0
/** A bucket with rules, whose objects are stored at ten o'clock. */
const bucketWith = async (rules: object[], more: object = {}) => {
  const id = await createBucket(api, `bucket-${++count}`, more)
  const set = await api(`PUT /buckets/${id}/lifecycle`, { body: { rules } })
  assert.equal(set.status, 200, set.text)
  await moveTo(10)
  const at = objectsIn(id)
  return {
    id,
    at,
    put: (name: string, raw = name, headers = {}) => putObject(api, at(name), raw, headers),
    keys: async (query = ''): Promise<string[]> =>
      (await api(`GET /buckets/${id}/objects${query}`, formS)).body.map(
        (o: { object_key: string }) => o.object_key,
      ),
    versions: async (name: string): Promise<string[]> => {
      const { body } = await api(`GET /buckets/${id}/versions?objectKey=${name}`)
      return body.map(({ etag }: { etag: string }) => etag)
    },
    counted: async () => {
      const { object_count, total_size_bytes } = (await api(`GET /buckets/${id}`)).body
      const [row] = await system.sql<{ bytes: number }[]>`
        select retained_bytes as bytes from storage.buckets where id = ${id}`
      return [object_count, total_size_bytes, row!.bytes]
    },
  }
}
const verified = async () => assert.deepEqual(await storage.verify(ctx), [])

test('objects are deleted at the midnight after their days, and can be recovered', async () => {
  const { at, put, keys, counted } = await bucketWith([{ expiration_days: 2, noncurrent_days: 30 }])
  const { id } = await put('a', 'four')
  await moveTo(23.9, 2)
  await tidy(ctx)
  assert.deepEqual(await keys(), ['a'], 'two days and a half are not over')
  await moveTo(0.1)
  const happened = await effects(api, () => tidy(ctx))
  assert.deepEqual(
    happened.map(({ type, subject }) => [type, subject]),
    [['object.deleted', `object/${id}`]],
  )
  assert.deepEqual(await keys(), [])
  assert.equal((await api(`GET ${at('a')}`)).status, 404, 'also where it was cached')
  assert.deepEqual(await counted(), [0, 0, 4])
  const { rows } = (await api('GET /audit-logs?action=object.deleted&limit=1')).body
  assert.deepEqual([rows[0].resource_id, rows[0].actor_user_id], [id, null])
  assert.equal((await api(`POST ${at('a')}/recover`)).status, 200)
  await verified()
})

test('a rule is about a prefix, tags and sizes, and only if it is enabled', async () => {
  const { id, put, keys } = await bucketWith([
    { prefix: 'tmp/', expiration_days: 1 },
    { tags: { a: '1', b: '2' }, expiration_days: 1 },
    { min_size_bytes: 10, max_size_bytes: 11, expiration_days: 1 },
    { enabled: false, expiration_days: 1 },
  ])
  for (const name of ['tmp/x', 'tmp', 'one-tag', 'both-tags']) await put(name, 'x')
  for (const [size, name] of [9, 10, 11, 12].entries()) await put(`size-${name}`, 'x'.repeat(size + 9))
  const tag = (name: string, tags: object) =>
    api(`PUT /buckets/${id}/object-tags?objectKey=${name}`, { body: { tags } })
  assert.equal((await tag('one-tag', { a: '1', b: '3' })).status, 200)
  assert.equal((await tag('both-tags', { a: '1', b: '2', c: '3' })).status, 200)
  await moveTo(1, 2)
  await tidy(ctx)
  assert.deepEqual(await keys(), ['one-tag', 'size-12', 'size-9', 'tmp'])
})

test('a date deletes what is there from then on', async () => {
  await moveTo(0)
  const date = new Date(Math.floor(system.clock.now().getTime() / day) * day + 3 * day).toISOString()
  const { put, keys } = await bucketWith([{ expiration_date: date }])
  await put('early')
  await tidy(ctx)
  assert.deepEqual(await keys(), ['early'])
  await moveTo(0.1, 2)
  await tidy(ctx)
  assert.deepEqual(await keys(), [])
  await put('late')
  await moveTo(1)
  await tidy(ctx)
  assert.deepEqual(await keys(), [])
})

test('an object is as old as its current content', async () => {
  const { put, keys } = await bucketWith([{ expiration_days: 2 }])
  await put('a', 'first')
  await put('b', 'first')
  await moveTo(10, 2)
  await put('a', 'second')
  await moveTo(1)
  await tidy(ctx)
  assert.deepEqual(await keys(), ['a'])
})

test('without rules nothing goes by itself', async () => {
  const { id, at, put, versions } = await bucketWith([{ expiration_days: 1 }])
  assert.equal((await api(`DELETE /buckets/${id}/lifecycle`)).status, 200)
  for (const content of ['first', 'second']) await put('kept', content)
  await put('deleted')
  await api(`DELETE ${at('deleted')}`)
  const { uploadId } = (
    await api(`POST /buckets/${id}/multipart/initiate`, { body: { objectKey: 'upload' } })
  ).body
  await advance(4000 * day)
  await tidy(ctx)
  assert.equal((await versions('kept')).length, 2)
  assert.equal((await api(`POST ${at('deleted')}/recover`)).status, 200)
  assert.equal((await api(`GET /buckets/${id}/multipart/${uploadId}`)).body.status, 'pending')
  assert.equal((await api(`PUT /buckets/${id}/multipart/${uploadId}/parts/1`, { raw: 'x' })).status, 200)
  assert.equal((await api(`POST /buckets/${id}/multipart/${uploadId}/complete`)).status, 201)
})

test('old versions go after their days, but the newest of them stay', async () => {
  const { put, versions, counted } = await bucketWith([{ noncurrent_days: 1, newer_noncurrent_versions: 2 }])
  const etags: string[] = []
  for (const content of ['1', '2', '3', '4', '5']) etags.unshift((await put('a', content)).etag)
  await put('b', 'one')
  await put('b', 'two')
  await moveTo(23)
  await tidy(ctx)
  assert.deepEqual(await versions('a'), etags, 'one day is not over')
  await moveTo(1)
  await tidy(ctx)
  assert.deepEqual(await versions('a'), etags.slice(0, 3))
  assert.equal((await versions('b')).length, 2)
  assert.deepEqual(await counted(), [2, 4, 9])
  const { rows } = (await api('GET /audit-logs?action=version.purged&limit=2')).body
  assert.deepEqual(
    rows.map(({ payload }: { payload: { objectKey: string } }) => payload.objectKey),
    ['a', 'a'],
  )
  await verified()
})

test('a deleted object goes, with its versions or without', async () => {
  for (const versioningEnabled of [true, false]) {
    const {
      id: bucketId,
      at,
      put,
      counted,
      keys,
    } = await bucketWith([{ noncurrent_days: 3, expired_delete_markers: true }], { versioningEnabled })
    await put('a', '1')
    await put('a', '22')
    const { id } = await put('a', '333')
    await api(`DELETE ${at('a')}`)
    await put('b')
    await moveTo(23, 3)
    await tidy(ctx)
    assert.equal((await api(`POST ${at('a')}/recover`)).status, 200)
    await api(`DELETE ${at('a')}`)
    await moveTo(1, 4)
    const happened = await effects(api, () => tidy(ctx))
    assert.deepEqual(
      happened.map(({ type, subject }) => [type, subject]),
      [['object.purged', `object/${id}`]],
    )
    assert.equal((await api(`POST ${at('a')}/recover`)).status, 404)
    assert.deepEqual(await counted(), [1, 1, 1])
    assert.deepEqual(await keys('?includeDeleted=true'), ['b'])
    const left = await system.sql`select from storage.markers where bucket_id = ${bucketId}`
    assert.equal(left.length, 0)
    await verified()
  }
})

test('what a rule does not apply to stays below, and the marker with it', async () => {
  const { id, at, put, versions, counted } = await bucketWith([
    { noncurrent_days: 1, min_size_bytes: 3 },
    { expired_delete_markers: true },
  ])
  await put('a', 'x')
  await put('a', 'long')
  await api(`DELETE ${at('a')}`)
  await moveTo(1, 3)
  await tidy(ctx)
  assert.equal((await versions('a')).length, 1)
  assert.deepEqual(await counted(), [0, 0, 1])
  const markers = () => system.sql`select from storage.markers where bucket_id = ${id}`
  assert.equal((await markers()).length, 1)
  assert.equal((await api(`POST ${at('a')}/recover`)).status, 200)
  assert.equal((await api(`GET ${at('a')}`)).text, 'x')
  await verified()
})

test('a marker goes when something else was stored above it long enough ago', async () => {
  const { id, at, put, versions } = await bucketWith([{ noncurrent_days: 2 }])
  await put('a', 'first')
  await api(`DELETE ${at('a')}`)
  await advance(day)
  await put('a', 'second')
  const markers = async () => (await system.sql`select from storage.markers where bucket_id = ${id}`).length
  await moveTo(1, 2)
  await tidy(ctx)
  assert.deepEqual([await markers(), (await versions('a')).length], [1, 1], 'the first content is gone')
  await moveTo(1)
  await tidy(ctx)
  assert.deepEqual([await markers(), (await versions('a')).length], [0, 1])
  await api(`DELETE ${at('a')}`)
  await moveTo(1, 9)
  await tidy(ctx)
  assert.deepEqual([await markers(), (await versions('a')).length], [1, 0], 'no rule is about the last one')
  await api(`PUT /buckets/${id}/lifecycle`, { body: { rules: [{ expiration_days: 9 }] } })
  await tidy(ctx)
  assert.equal(await markers(), 1, 'not old enough')
  await moveTo(1)
  await tidy(ctx)
  assert.equal(await markers(), 0)
  await verified()
})

test('uploads fail by the rules of their bucket, on the minute', async () => {
  const { id } = await bucketWith([{ prefix: 'fast/', abort_uploads_days: 1 }, { abort_uploads_days: 3 }])
  const root = `/buckets/${id}/multipart`
  const begin = async (objectKey: string) => {
    const { uploadId } = (await api(`POST ${root}/initiate`, { body: { objectKey } })).body
    assert.equal((await api(`PUT ${root}/${uploadId}/parts/1`, { raw: 'part' })).status, 200)
    return uploadId as string
  }
  const [fast, slow] = [await begin('fast/a'), await begin('slow')]
  const states = async () => {
    const of = async (uploadId: string) => (await api(`GET ${root}/${uploadId}`)).body.status
    return [await of(fast), await of(slow)]
  }
  await advance(day - 60_000)
  assert.deepEqual(await states(), ['pending', 'pending'])
  await advance(60_000)
  assert.deepEqual(await states(), ['failed', 'pending'], 'before the job')
  assert.equal((await api(`POST ${root}/${fast}/complete`)).status, 409)
  await tidy(ctx)
  const parts = await system.sql`select from storage.parts where upload_id in (${fast}, ${slow})`
  assert.equal(parts.length, 1)
  await api(`PUT /buckets/${id}/lifecycle`, { body: { rules: [{ prefix: 'slow', abort_uploads_days: 1 }] } })
  assert.deepEqual(await states(), ['failed', 'failed'])
  await verified()
})

test('what is written or recovered just before it would go stays', async () => {
  const { id, at, put } = await bucketWith([{ expiration_days: 9, noncurrent_days: 1 }])
  await put('written', 'same content')
  await moveTo(10, 8)
  await put('recovered')
  await api(`DELETE ${at('recovered')}`)
  await moveTo(1, 2)
  const refs = ['written', 'recovered'].map((name) => ({ bucketId: id, key: name }))
  const { release } = await hold(system, (tx) => lockKeys(tx, refs))
  const writing = put('written', 'same content')
  const recovering = api(`POST ${at('recovered')}/recover`)
  await waitingForLocks(system, 2)
  const sweeping = applyLifecycles(ctx)
  await waitingForLocks(system, 3)
  await release()
  await writing
  assert.equal((await recovering).status, 200)
  await sweeping
  const all = (await api(`GET /buckets/${id}/objects?includeDeleted=true`, formS)).body
  assert.deepEqual(
    all.map(({ object_key, is_deleted }: Record<string, unknown>) => [object_key, is_deleted]),
    [
      ['recovered', false],
      ['written', false],
    ],
  )
  await verified()
})

test('two nodes that sweep at once do everything once', async () => {
  const { put, keys } = await bucketWith([{ expiration_days: 1 }])
  const names = Array.from({ length: 30 }, (_, n) => `many/${n}`)
  await Promise.all(names.map((name) => put(name)))
  await moveTo(1, 2)
  const other = bytesOf(system).ctx
  const happened = await effects(api, () => Promise.all([applyLifecycles(ctx), applyLifecycles(other)]))
  const deleted = happened
    .filter(({ type, data }) => type === 'object.deleted' && data.object_key.startsWith('many/'))
    .map(({ data }) => data.object_key)
  assert.deepEqual(deleted.sort(), names.sort())
  assert.deepEqual(await keys(), [])
  await verified()
})

test('a run that has no time left is continued by the next one', async () => {
  const { put, keys } = await bucketWith([{ expiration_days: 1 }])
  await put('a')
  await moveTo(1, 2)
  assert.equal(await applyLifecycles(ctx, () => true), false)
  assert.deepEqual(await keys(), ['a'])
  assert.equal(await applyLifecycles(ctx), true)
  assert.deepEqual(await keys(), [])
})

test('a bucket is swept once a day, and again when its rules change', async () => {
  const { id, put, keys } = await bucketWith([{ prefix: 'x', expiration_days: 1 }])
  await put('a')
  await moveTo(1, 2)
  await tidy(ctx)
  assert.deepEqual(await keys(), ['a'])
  await api(`PUT /buckets/${id}/lifecycle`, { body: { rules: [{ expiration_days: 1 }] } })
  await tidy(ctx)
  assert.deepEqual(await keys(), [])
})

test('lists say when what was deleted or replaced goes for good, in both forms', async () => {
  const { id, at, put } = await bucketWith([
    { prefix: 'a', noncurrent_days: 2, newer_noncurrent_versions: 1 },
  ])
  for (const content of ['1', '2', '3']) await put('a', content)
  await put('b')
  const goes = new Date(Math.floor(system.clock.now().getTime() / day) * day + 3 * day).toISOString()
  const versions = async (name: string, form = 'S') =>
    (await api(`GET /buckets/${id}/versions?objectKey=${name}`, { headers: { 'x-api-form': form } })).body
  const times = (list: { expires_at?: string | null }[]) => list.map(({ expires_at }) => expires_at)
  assert.deepEqual(times(await versions('a')), [undefined, null, goes])
  const formR = (await versions('a', 'R')).versions as { expiresAt?: string | null }[]
  assert.deepEqual(
    formR.map(({ expiresAt }) => expiresAt),
    [undefined, null, goes],
  )
  await api(`DELETE ${at('a')}`)
  await api(`DELETE ${at('b')}`)
  assert.deepEqual(times(await versions('a')), [null, goes, goes])
  const deleted = async (form: string) =>
    (await api(`GET /buckets/${id}/objects?includeDeleted=true`, { headers: { 'x-api-form': form } })).body
  assert.deepEqual(times(await deleted('S')), [null, null])
  await api(`PUT /buckets/${id}/lifecycle`, { body: { rules: [{ prefix: 'a', noncurrent_days: 2 }] } })
  assert.deepEqual(times(await deleted('S')), [goes, null])
  assert.deepEqual(
    (await deleted('R')).objects.map(({ expiresAt }: { expiresAt: string }) => expiresAt),
    [goes, null],
  )
  await put('c')
  const live = (await deleted('S')).find(({ object_key }: { object_key: string }) => object_key === 'c')
  assert.equal('expires_at' in live, false)
})

test('a sweep whose process was killed is continued as soon as its claim has expired, not on the next day', async () => {
  const bucket = await bucketWith([{ expiration_days: 1 }])
  await bucket.put('a')
  await moveTo(1, 2)
  const row = async () => {
    const [found] = await system.sql<{ is_swept: boolean; is_claimed: boolean }[]>`
      select swept_at is not null as is_swept, sweep_id is not null as is_claimed
      from storage.buckets where id = ${bucket.id}`
    return found
  }
  // What `kill -9` leaves behind is what is stored while a sweep is under way.
  const { release } = await hold(system, (tx) => lockKeys(tx, [{ bucketId: bucket.id, key: 'a' }]))
  const sweeping = applyLifecycles(ctx)
  await waitingForLocks(system, 1)
  assert.deepEqual(await row(), { is_swept: false, is_claimed: true })
  await continueLifecycles(ctx)
  assert.deepEqual(await row(), { is_swept: false, is_claimed: true }, 'another one is at work')
  release()
  await sweeping
  assert.deepEqual(await row(), { is_swept: true, is_claimed: false })

  await bucket.put('b')
  await moveTo(1, 2)
  await system.sql`
    update storage.buckets set sweep_id = ${crypto.randomUUID()}, sweeping_until = clock_timestamp() - interval '1 s'
    where id = ${bucket.id}`
  await continueLifecycles(ctx)
  assert.deepEqual(await bucket.keys(), [])
  assert.deepEqual(await row(), { is_swept: true, is_claimed: false })
})

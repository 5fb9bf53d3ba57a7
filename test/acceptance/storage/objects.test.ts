import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath } from '#test/support/storage.ts'

const system = await boot()
const { api, token } = await storageOwner(system)
const base = system.urls.storage

const newBucket = (name: string, more: object = {}, as = api) => createBucket(as, name, more)
const bucketId = await newBucket('objects')
const at = (key: string, id = bucketId) => objectPath(id, key)
const md5 = (bytes: Buffer | string) => createHash('md5').update(bytes).digest('hex')
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(base + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
const put = (key: string, raw: string | Buffer, headers: Record<string, string> = {}, id = bucketId) =>
  api(`PUT ${at(key, id)}`, { raw: raw as never, headers })
const figures = async (id = bucketId) => {
  const bucket = (await api(`GET /buckets/${id}`)).body
  const usage = (await api('GET /usage/summary')).body
  return { count: bucket.object_count, live: bucket.total_size_bytes, used: usage.storage_used_bytes }
}

test('a download returns the exact bytes with their type, metadata and name', async () => {
  const bytes = Buffer.from('héllo\0world')
  const created = await put('docs/a%20b.txt', bytes, { 'content-type': 'text/x-odd', 'x-meta-author': 'Ada' })
  assert.equal(created.status, 201, created.text)
  const { id, created_at, updated_at, ...rest } = created.body
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    bucket_id: bucketId,
    object_key: 'docs/a b.txt',
    content_type: 'text/x-odd',
    size_bytes: bytes.length,
    etag: md5(bytes),
    is_deleted: false,
    metadata: { author: 'Ada' },
  })
  const answer = await get(at('docs/a%20b.txt'))
  assert.equal(answer.status, 200)
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
  assert.equal(answer.headers.get('content-type'), 'text/x-odd')
  assert.equal(answer.headers.get('content-length'), String(bytes.length))
  assert.equal(answer.headers.get('etag'), `"${md5(bytes)}"`)
  assert.equal(answer.headers.get('x-meta-author'), 'Ada')
  assert.equal(answer.headers.get('accept-ranges'), 'bytes')
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="a b\.txt"; filename\*=UTF-8''a%20b\.txt$/,
  )
  assert.ok(answer.headers.get('last-modified'))
  const inline = await get(`${at('docs/a%20b.txt')}?download=false`)
  assert.match(inline.headers.get('content-disposition') ?? '', /^inline/)
  assert.equal(inline.headers.get('content-security-policy'), 'sandbox')
  assert.equal(inline.headers.get('x-content-type-options'), 'nosniff')
  const head = await fetch(base + at('docs/a%20b.txt'), {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), String(bytes.length))
})

/** Sends the path as it is; fetch would normalize it. */
const plain = (method: string, path: string, body = '') =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-length': body.length } : {}) }
    const req = request({ method, hostname, port, path, headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve({ status: answer.statusCode ?? 0, text })
    })
    req.on('error', reject)
    req.end(body)
  })

test('object keys are stored byte for byte', async () => {
  const paths = {
    'a//b': 'a//b',
    '/leading': '/leading',
    '..': '..',
    '../../etc/passwd': '../../etc/passwd',
    '%2E%2E/x': '../x',
    'trailing/': 'trailing/',
    '100%2525': '100%25',
    '%C3%BC/%E6%97%A5/%F0%9F%98%80': 'ü/日/😀',
    'a+b&c=d;e': 'a+b&c=d;e',
    'one%2Ftwo': 'one/two',
    upload: 'upload',
    delete: 'delete',
    'x/recover': 'x/recover',
    'q%3Fx%23y': 'q?x#y',
    '%20': ' ',
  }
  for (const [path, key] of Object.entries(paths)) {
    const created = await plain('PUT', at(path), `content of ${path}`)
    assert.equal(created.status, 201, `${key}: ${created.text}`)
    assert.equal(JSON.parse(created.text).object_key, key)
    assert.equal((await plain('GET', at(path))).text, `content of ${path}`)
  }
  const listed = (await api(`GET /buckets/${bucketId}/objects`)).body.map(
    (o: { object_key: string }) => o.object_key,
  )
  for (const key of Object.values(paths)) assert.ok(listed.includes(key), key)
  assert.equal((await plain('PUT', at(''), 'x')).status, 404)
})

test('object keys have 1 to 1024 characters and no control characters', async () => {
  const longest = '😀'.repeat(1024)
  const path = encodeURIComponent(longest)
  assert.equal((await put(path, 'long')).status, 201)
  assert.equal(await (await get(at(path))).text(), 'long')
  assert.equal((await put(path, 'again')).status, 200)
  assert.equal((await put('a'.repeat(1025), 'x')).status, 400)
  assert.equal((await put('a%00b', 'x')).status, 400)
  assert.equal((await put('a%0Ab', 'x')).status, 400)
  assert.equal((await put('a%FFb', 'x')).status, 404)
})

test('large objects are stored and returned exactly', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 17, 'trivet ')
  const before = await figures()
  const created = await put('large.bin', bytes)
  assert.equal(created.status, 201)
  assert.equal(created.body.etag, md5(bytes))
  const answer = await get(at('large.bin'))
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
  const tail = await get(at('large.bin'), { range: 'bytes=3000000-' })
  assert.equal(tail.status, 206)
  assert.deepEqual(Buffer.from(await tail.arrayBuffer()), bytes.subarray(3000000))
  const after = await figures()
  assert.deepEqual(after, {
    count: before.count + 1,
    live: before.live + bytes.length,
    used: before.used + bytes.length,
  })
})

test('range requests return 206 with the bytes, or 416', async () => {
  await put('digits', '0123456789')
  const ranged = async (range: string, more = {}) => {
    const answer = await get(at('digits'), { range, ...more })
    return [answer.status, await answer.text(), answer.headers.get('content-range')]
  }
  assert.deepEqual(await ranged('bytes=2-4'), [206, '234', 'bytes 2-4/10'])
  assert.deepEqual(await ranged('bytes=7-'), [206, '789', 'bytes 7-9/10'])
  assert.deepEqual(await ranged('bytes=-3'), [206, '789', 'bytes 7-9/10'])
  assert.deepEqual(await ranged('bytes=-99'), [206, '0123456789', 'bytes 0-9/10'])
  assert.deepEqual(await ranged('bytes=5-99'), [206, '56789', 'bytes 5-9/10'])
  assert.deepEqual((await ranged('bytes=10-'))[0], 416)
  assert.deepEqual((await ranged('bytes=10-'))[2], 'bytes */10')
  assert.deepEqual((await ranged('bytes=-0'))[0], 416)
  assert.deepEqual(await ranged('bytes=4-2'), [200, '0123456789', null])
  assert.deepEqual(await ranged('lines=1-2'), [200, '0123456789', null])
  assert.deepEqual(await ranged('bytes=1-2', { 'if-range': '"other"' }), [200, '0123456789', null])
  assert.deepEqual(await ranged('bytes=1-2', { 'if-range': `"${md5('0123456789')}"` }), [
    206,
    '12',
    'bytes 1-2/10',
  ])
})

test('conditional reads and writes honour If-Match, If-None-Match and the times', async () => {
  await put('cond', 'one')
  const etag = `"${md5('one')}"`
  assert.equal((await get(at('cond'), { 'if-none-match': etag })).status, 304)
  assert.equal((await get(at('cond'), { 'if-none-match': '"x"' })).status, 200)
  assert.equal((await get(at('cond'), { 'if-match': '"x"' })).status, 412)
  const future = new Date(Date.now() + 60_000).toUTCString()
  assert.equal((await get(at('cond'), { 'if-modified-since': future })).status, 304)
  const modified = (await get(at('cond'))).headers.get('last-modified') as string
  const secondBefore = new Date(Date.parse(modified) - 1000).toUTCString()
  assert.equal((await get(at('cond'), { 'if-modified-since': modified })).status, 304, 'what browsers send')
  assert.equal((await get(at('cond'), { 'if-modified-since': secondBefore })).status, 200)
  assert.equal((await get(at('cond'), { 'if-unmodified-since': modified })).status, 200)
  assert.equal((await get(at('cond'), { 'if-unmodified-since': secondBefore })).status, 412)
  assert.equal((await get(at('cond'), { 'if-unmodified-since': new Date(0).toUTCString() })).status, 412)
  assert.equal((await put('cond', 'two', { 'if-none-match': '*' })).status, 412)
  assert.equal((await put('cond', 'two', { 'if-match': '"x"' })).status, 412)
  assert.equal((await put('cond', 'two', { 'if-match': etag })).status, 200)
  assert.equal((await put('cond-new', 'x', { 'if-match': '*' })).status, 412)
  assert.equal(await (await get(at('cond'))).text(), 'two')
})

test('conditional deletes honour If-Match and If-None-Match', async () => {
  const { etag } = (await put('guarded', 'one')).body
  const remove = (headers: Record<string, string>, query = '') =>
    api(`DELETE ${at('guarded')}${query}`, { headers })
  const before = await figures()
  for (const query of ['', '?permanent=true'])
    for (const headers of [
      { 'if-match': `"${md5('other')}"` },
      { 'if-match': `W/"${etag}"` },
      { 'if-none-match': '*' },
      { 'if-none-match': `"x", "${etag}"` },
    ])
      assert.equal((await remove(headers, query)).status, 412, JSON.stringify([headers, query]))
  assert.deepEqual(await figures(), before)
  const listed = await remove({ 'if-match': `"x", "${etag}"`, 'if-none-match': '"y"' })
  assert.deepEqual([listed.status, listed.body.object.is_deleted], [200, true])
  assert.equal((await remove({ 'if-match': '*' })).status, 404)
  assert.equal((await remove({ 'if-match': '*' }, '?permanent=true')).status, 412, 'nothing is live')
  assert.equal((await remove({}, '?permanent=true')).status, 200)
  assert.equal((await remove({ 'if-match': '*' }, '?permanent=true')).status, 404)
})

test('a conditional delete never deletes a newer content than the one it names', async () => {
  for (let round = 0; round < 5; round++) {
    const { etag } = (await put('contended', 'first')).body
    const [replaced, deleted] = await Promise.all([
      put('contended', `second ${round}`),
      api(`DELETE ${at('contended')}`, { headers: { 'if-match': `"${etag}"` } }),
    ])
    assert.deepEqual(
      [replaced.status, deleted.status].sort(),
      deleted.status === 200 ? [200, 201] : [200, 412],
    )
    assert.equal(await (await get(at('contended'))).text(), `second ${round}`)
  }
})

test('of 50 parallel creates with If-None-Match: * exactly one succeeds', async () => {
  const before = await figures()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      put('only-one', `try ${String(n).padStart(2, '0')}`, { 'if-none-match': '*' }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 412).length, 49)
  const after = await figures()
  assert.deepEqual(after, { count: before.count + 1, live: before.live + 6, used: before.used + 6 })
})

test('uploads with a wrong digest are refused and nothing is stored', async () => {
  const good = createHash('md5').update('data').digest('base64')
  const sha = createHash('sha256').update('data').digest('base64')
  const before = await figures()
  assert.equal((await put('digest', 'other', { 'content-md5': good })).status, 400)
  assert.equal((await put('digest', 'other', { 'content-digest': `sha-256=:${sha}:` })).status, 400)
  assert.equal((await put('digest', 'data', { 'content-md5': 'nonsense' })).status, 400)
  assert.deepEqual(await figures(), before)
  assert.equal((await get(at('digest'))).status, 404)
  assert.equal(
    (await put('digest', 'data', { 'content-md5': good, 'content-digest': `sha-256=:${sha}:` })).status,
    201,
  )
})

test('a form upload accepts its fields in any order', async () => {
  const send = (fill: (form: FormData) => void, headers = {}) => {
    const form = new FormData()
    fill(form)
    return api(`POST /buckets/${bucketId}/objects/upload`, { raw: form as never, headers })
  }
  const file = new Blob([Buffer.alloc(100_000, 'x')], { type: 'image/png' })
  const first = await send((form) => {
    form.append('file', file, 'photo one.png')
    form.append('objectKey', 'form/one')
    form.append('metadata', JSON.stringify({ camera: 'Box', iso: 100, town: 'Straßburg' }))
  })
  assert.equal(first.status, 201, first.text)
  assert.equal(first.body.object_key, 'form/one')
  assert.equal(first.body.content_type, 'image/png')
  assert.equal(first.body.size_bytes, 100_000)
  assert.deepEqual(first.body.metadata, { camera: 'Box', iso: '100', town: 'Straßburg' })
  assert.equal((await get(at('form/one'))).headers.get('x-meta-camera'), 'Box')
  const unfit = await send((form) => {
    form.append('metadata', JSON.stringify({ 'no header': 'x' }))
    form.append('file', file, 'photo one.png')
  })
  assert.equal(unfit.status, 400, 'a name that could not come back as a header')
  const named = await send((form) => form.append('file', file, 'photo one.png'))
  assert.equal(named.body.object_key, 'photo one.png')
  const other = await send((form) => {
    form.append('key', 'form/two')
    form.append('file', file, 'x')
  })
  assert.equal(other.body.object_key, 'form/two')
  assert.equal((await send((form) => form.append('key', 'x'))).status, 400)
  const noKey = await send((form) => form.append('file', file, 'x'), { 'x-api-form': 'R' })
  assert.equal(noKey.status, 400)
  assert.match(noKey.body.error, /^key is required/)
  const bad = await send((form) => {
    form.append('file', file, 'x')
    form.append('metadata', '[1]')
  })
  assert.equal(bad.status, 400)
  assert.equal((await api(`POST /buckets/${bucketId}/objects/upload`, { body: {} })).status, 400)
  const formR = await send(
    (form) => {
      form.append('key', 'form/r')
      form.append('file', file, 'x')
    },
    { 'x-api-form': 'R' },
  )
  assert.deepEqual(Object.keys(formR.body).sort(), [
    'contentType',
    'createdAt',
    'etag',
    'id',
    'isDeleted',
    'metadata',
    'objectKey',
    'requestId',
    'sizeBytes',
  ])
})

test('a deleted object can be recovered, unless its key was taken', async () => {
  await put('gone', '12345')
  const before = await figures()
  const deleted = await api(`DELETE ${at('gone')}`)
  assert.equal(deleted.status, 200)
  assert.equal(deleted.body.deleted, true)
  assert.equal(deleted.body.object.is_deleted, true)
  assert.equal((await get(at('gone'))).status, 404)
  assert.equal((await api(`DELETE ${at('gone')}`)).status, 404)
  assert.deepEqual(await figures(), { count: before.count - 1, live: before.live - 5, used: before.used })
  const all = await api(`GET /buckets/${bucketId}/objects?prefix=gone&includeDeleted=true`)
  assert.equal(all.body.total, 1)
  assert.equal(all.body.objects[0].isDeleted, true)
  const recovered = await api(`POST ${at('gone')}/recover`)
  assert.equal(recovered.status, 200, recovered.text)
  assert.equal(recovered.body.recovered, true)
  assert.equal(recovered.body.object.id, deleted.body.object.id)
  assert.deepEqual(await figures(), before)
  await api(`DELETE ${at('gone')}`)
  await put('gone', 'new')
  assert.equal((await api(`POST ${at('gone')}/recover`)).status, 409)
  assert.equal((await api(`POST ${at('never-there')}/recover`)).status, 404)
  assert.equal((await api(`POST ${at('deep/er')}/recover`)).status, 404)
  await put('deep/er', 'x')
  await api(`DELETE ${at('deep/er')}`)
  const deep = await api(`POST ${at('deep/er')}/recover`, { headers: { 'x-api-form': 'R' } })
  assert.equal(deep.body.object.objectKey, 'deep/er')
})

test('versions can be listed, restored and purged', async () => {
  const id = await newBucket('versions')
  await put('v', 'one', {}, id)
  await put('v', 'second', { 'content-type': 'text/two' }, id)
  const list = await api(`GET /buckets/${id}/versions?objectKey=v`)
  assert.deepEqual(
    list.body.map((v: { is_current: boolean; size_bytes: number }) => [v.is_current, v.size_bytes]),
    [
      [true, 6],
      [false, 3],
    ],
  )
  const [current, first] = list.body
  assert.equal(await (await get(`${at('v', id)}?versionId=${first.version_id}`)).text(), 'one')
  assert.equal(await (await get(`${at('v', id)}?versionId=${current.version_id}`)).text(), 'second')
  assert.equal((await get(`${at('v', id)}?versionId=${id}`)).status, 404)
  const formR = await api(`GET /buckets/${id}/versions?objectKey=v`, { headers: { 'x-api-form': 'R' } })
  assert.equal(formR.body.total, 2)
  assert.equal(formR.body.versions[0].isCurrent, true)
  const restored = await api(`POST ${at('v', id)}/restore`, { body: { versionId: first.version_id } })
  assert.equal(restored.status, 201, restored.text)
  assert.equal(await (await get(at('v', id))).text(), 'one')
  assert.equal((await api(`GET /buckets/${id}/versions?objectKey=v`)).body.length, 3)
  assert.equal((await api(`POST ${at('v', id)}/restore`, { body: { versionId: id } })).status, 404)
  assert.equal((await api(`POST ${at('v', id)}/restore`, { body: {} })).status, 400)
  const before = await figures(id)
  const purged = await api(`DELETE ${at('v', id)}?permanent=true`)
  assert.equal(purged.status, 200)
  assert.deepEqual(await figures(id), { count: 0, live: 0, used: before.used - 12 })
  assert.deepEqual((await api(`GET /buckets/${id}/versions?objectKey=v`)).body, [])
  assert.equal((await api(`DELETE ${at('v', id)}?permanent=true`)).status, 404)
})

test('without versioning an overwrite keeps no version', async () => {
  const id = await newBucket('no-versions', { versioningEnabled: false })
  const before = await figures(id)
  await put('v', 'one', {}, id)
  await put('v', 'second', {}, id)
  assert.equal((await api(`GET /buckets/${id}/versions?objectKey=v`)).body.length, 1)
  assert.deepEqual(await figures(id), { count: 1, live: 6, used: before.used + 6 })
})

test('objects are listed in order, by prefix, search, folder and page', async () => {
  const id = await newBucket('listing')
  for (const key of ['b', 'a/1', 'a/2', 'a/x/3', 'A', 'c_1', 'c%1', 'cx1'])
    await put(encodeURIComponent(key), key, {}, id)
  const list = async (query: string) => (await api(`GET /buckets/${id}/objects?${query}`)).body
  const keys = (objects: { object_key?: string; objectKey?: string }[]) =>
    objects.map((o) => o.object_key ?? o.objectKey)
  assert.deepEqual(keys(await list('')), ['A', 'a/1', 'a/2', 'a/x/3', 'b', 'c%1', 'c_1', 'cx1'])
  assert.deepEqual(keys(await list('prefix=a/')), ['a/1', 'a/2', 'a/x/3'])
  assert.deepEqual(keys(await list('search=_1')), ['c_1'])
  assert.deepEqual(keys(await list('search=%251')), ['c%1'])
  assert.deepEqual(keys(await list('delimiter=/')), ['A', 'b', 'c%1', 'c_1', 'cx1'])
  const folders = await list('delimiter=/&limit=100')
  assert.deepEqual(folders.folders, ['a/'])
  assert.deepEqual((await list('delimiter=/&prefix=a/&limit=100')).folders, ['a/x/'])
  const page = await list('limit=3&offset=1')
  assert.deepEqual([page.total, keys(page.objects)], [8, ['a/1', 'a/2', 'a/x/3']])
  assert.equal((await list('limit=5000')).objects.length, 8)
  assert.equal((await api(`GET /buckets/${id}/objects?limit=0`)).status, 400)
  assert.equal((await api(`GET /buckets/${id}/objects?offset=-1`)).status, 400)
  assert.equal((await api(`GET /buckets/${id}/objects?cursor=!!`)).status, 400)
  for (const query of ['limit=3', 'limit=2&delimiter=/']) {
    const walked: string[] = []
    let cursor = ''
    do {
      const { body, headers } = await api(
        `GET /buckets/${id}/objects?${query}${cursor && `&cursor=${cursor}`}`,
      )
      assert.equal(headers.get('x-next-cursor'), body.nextCursor)
      walked.push(...[...keys(body.objects), ...(body.folders ?? [])].map(String))
      cursor = body.nextCursor
    } while (cursor)
    assert.deepEqual(
      walked.sort(),
      query.includes('delimiter')
        ? ['A', 'a/', 'b', 'c%1', 'c_1', 'cx1']
        : ['A', 'a/1', 'a/2', 'a/x/3', 'b', 'c%1', 'c_1', 'cx1'],
    )
  }
})

test('deleted objects are listed, also in folders, with includeDeleted', async () => {
  const id = await newBucket('deleted-levels')
  for (const key of ['a', 'b', 'b', 'gone/1', 'kept/1', 'kept/2']) {
    await put(encodeURIComponent(key), key, {}, id)
    if (['b', 'gone/1', 'kept/2'].includes(key)) await api(`DELETE ${at(key, id)}`)
  }
  await put('b', 'live again', {}, id)
  const list = async (query: string) => {
    const { objects, folders, nextCursor } = (await api(`GET /buckets/${id}/objects?delimiter=/&${query}`))
      .body
    const found = objects.map((o: { objectKey: string; isDeleted: boolean }) => [o.objectKey, o.isDeleted])
    return { found, folders, nextCursor }
  }
  const all = await list('includeDeleted=true')
  assert.deepEqual(all.found, [
    ['a', false],
    ['b', false],
    ['b', true],
    ['b', true],
  ])
  assert.deepEqual(all.folders, ['gone/', 'kept/'])
  assert.deepEqual((await list('limit=100')).folders, ['kept/'])
  const inside = await list('includeDeleted=true&prefix=kept/')
  assert.deepEqual(inside.found, [
    ['kept/1', false],
    ['kept/2', true],
  ])
  const first = await list('includeDeleted=true&limit=3')
  assert.deepEqual([first.found.length, first.folders], [4, ['gone/']])
  assert.deepEqual((await list(`includeDeleted=true&limit=3&cursor=${first.nextCursor}`)).folders, ['kept/'])
  assert.deepEqual((await list('includeDeleted=true&search=1')).folders, ['gone/', 'kept/'])
})

test('copy and move do not rewrite bytes', async () => {
  const [from, to] = [await newBucket('copy-from'), await newBucket('copy-to')]
  await put('dir/a', 'content', { 'content-type': 'text/a', 'x-meta-k': 'v' }, from)
  const copy = await api(`POST ${at('dir/a', from)}/copy`, {
    body: { destinationKey: 'b', destinationBucketId: to },
  })
  assert.equal(copy.status, 201, copy.text)
  assert.deepEqual([copy.body.bucket_id, copy.body.object_key, copy.body.content_type], [to, 'b', 'text/a'])
  assert.deepEqual(copy.body.metadata, { k: 'v' })
  const blobs =
    await system.sql`select refs from storage.blobs b join storage.objects o on o.blobs[1] = b.id where o.bucket_id = ${to}`
  assert.equal(blobs[0]?.refs, 2)
  await api(`DELETE ${at('dir/a', from)}?permanent=true`)
  assert.equal(await (await get(at('b', to))).text(), 'content')
  const moved = await api(`POST ${at('b', to)}/move`, {
    body: { destinationKey: 'new/name', destinationBucketId: from },
  })
  assert.equal(moved.status, 201, moved.text)
  assert.equal(moved.body.id, copy.body.id)
  assert.equal((await get(at('b', to))).status, 404)
  assert.equal(await (await get(at('new/name', from))).text(), 'content')
  await put('target', 'to be replaced', {}, from)
  const before = await figures(from)
  assert.equal(
    (await api(`POST ${at('new/name', from)}/move`, { body: { destinationKey: 'target' } })).status,
    200,
  )
  assert.deepEqual(await figures(from), {
    count: before.count - 1,
    live: before.live - 14,
    used: before.used,
  })
  assert.equal((await api(`GET /buckets/${from}/versions?objectKey=target`)).body.length, 2)
  assert.equal((await api(`POST ${at('target', from)}/copy`, { body: {} })).status, 400)
  assert.equal((await api(`POST ${at('nope', from)}/copy`, { body: { destinationKey: 'x' } })).status, 404)
  assert.equal(
    (await api(`POST ${at('target', from)}/move`, { body: { destinationKey: 'target' } })).status,
    400,
  )
})

test('a batch delete deletes what it can and reports the rest', async () => {
  const id = await newBucket('batch')
  for (const key of ['1', '2', 'x/3']) await put(key, key, {}, id)
  const { status, body } = await api(`POST /buckets/${id}/objects/delete`, {
    body: { keys: ['1', 'x/3', 'nope'] },
  })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    deleted: ['1', 'x/3'],
    errors: [{ key: 'nope', message: 'No object with this key' }],
  })
  assert.equal((await api(`POST /buckets/${id}/objects/delete`, { body: { keys: [] } })).status, 400)
})

test('objects of other organizations get 404', async () => {
  const other = await storageOwner(system)
  await put('mine', 'secret')
  for (const call of [
    `GET ${at('mine')}`,
    `HEAD ${at('mine')}`,
    `DELETE ${at('mine')}`,
    `GET /buckets/${bucketId}`,
    `GET /buckets/${bucketId}/objects`,
    `GET /buckets/${bucketId}/versions?objectKey=mine`,
    `GET /buckets/${bucketId}/policy`,
    `DELETE /buckets/${bucketId}`,
    `POST ${at('mine')}/recover`,
  ])
    assert.equal((await other.api(call)).status, 404, call)
  assert.equal((await other.api(`PUT ${at('mine')}`, { raw: 'x' })).status, 404)
  assert.equal(
    (await other.api(`PATCH /buckets/${bucketId}`, { body: { visibility: 'public' } })).status,
    404,
  )
  assert.equal((await system.storage(`GET ${at('mine')}`)).status, 401)
  assert.equal((await api(`GET /buckets/nonsense/objects/mine`)).status, 404)
  assert.equal(await (await get(at('mine'))).text(), 'secret')
})

test('a form repeated with its Idempotency-Key creates one version', async () => {
  const id = await newBucket('repeats')
  const send = (key: string) => {
    const form = new FormData()
    form.append('file', new Blob([Buffer.alloc(50_000, 'r')]), 'again.bin')
    return api(`POST /buckets/${id}/objects/upload`, {
      raw: form as never,
      headers: { 'idempotency-key': key },
    })
  }
  const [first, second] = [await send('one'), await send('one')]
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.equal((await api(`GET /buckets/${id}/versions?objectKey=again.bin`)).body.length, 1)
  await send('two')
  assert.equal((await api(`GET /buckets/${id}/versions?objectKey=again.bin`)).body.length, 2)
})

test('parallel writes and deletes of one key leave exact counters', async () => {
  const id = await newBucket('fire', { versioningEnabled: false })
  const before = await figures(id)
  const moves = Array.from({ length: 60 }, (_, n) => {
    const path = at(`hot-${n % 3}`, id)
    if (n % 5 === 4) return api(`DELETE ${path}?permanent=true`)
    if (n % 5 === 3) return api(`POST ${path}/copy`, { body: { destinationKey: `hot-${(n + 1) % 3}` } })
    return api(`PUT ${path}`, { raw: 'x'.repeat(1 + n) })
  })
  for (const { status, text } of await Promise.all(moves)) assert.ok([200, 201, 404].includes(status), text)
  const objects = (await api(`GET /buckets/${id}/objects`)).body as { size_bytes: number }[]
  const live = objects.reduce((sum, o) => sum + o.size_bytes, 0)
  assert.deepEqual(await figures(id), { count: objects.length, live, used: before.used + live })
})

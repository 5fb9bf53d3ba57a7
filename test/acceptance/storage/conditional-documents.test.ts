import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { addMember, createBucket } from '#test/support/storage.ts'

const system = await boot()
const { api } = await storageOwner(system)
const admin = await addMember(system, api, 'admin')

const statement = (resourceId: string) => ({
  effect: 'deny',
  action: 'object.read',
  resourceType: 'object',
  resourceId,
  subjectType: 'role',
  subjectId: 'member',
  conditions: { prefix: 'a', maxSizeBytes: 1 },
})
const rule = (id: string) => ({ id, prefix: `${id}/`, expiration_days: 1 })

/** What a bucket has as a whole: how it is asked for, and a document of so many parts. */
const documents = [
  {
    path: 'policy',
    bodyOf: (names: string[]) => ({ statements: names.map(statement) }),
    namesIn: (body: { resourceId: string }[]) => body.map(({ resourceId }) => resourceId),
  },
  {
    path: 'lifecycle',
    bodyOf: (names: string[]) => ({ rules: names.map(rule) }),
    namesIn: ({ rules }: { rules: { id: string }[] }) => rules.map(({ id }) => id),
  },
]

let count = 0
for (const { path, bodyOf, namesIn } of documents) {
  const prepare = async () => {
    const url = `/buckets/${await createBucket(api, `documents-${++count}`)}/${path}`
    const read = async (headers = {}) => {
      const { status, headers: sent, body } = await api(`GET ${url}`, { headers })
      return { status, etag: sent.get('etag') ?? '', names: status === 200 ? namesIn(body) : [] }
    }
    const write = (names: string[], headers: Record<string, string>, as = api) =>
      as(`PUT ${url}`, { body: bodyOf(names), headers })
    return { url, read, write }
  }

  test(`the ${path} of a bucket has an entity tag, which changes with it and only then`, async () => {
    const { read, write } = await prepare()
    const first = await read()
    assert.match(first.etag, /^"[\w-]+"$/)
    assert.equal((await read()).etag, first.etag)
    const written = await write(['one'], {})
    const second = await read()
    assert.notEqual(second.etag, first.etag)
    assert.equal(written.headers.get('etag'), second.etag, 'the response to a write has the new one')
    await write(['one'], {})
    assert.equal((await read()).etag, second.etag)
    assert.equal((await read({ 'if-none-match': second.etag })).status, 304)
    assert.equal((await read({ 'if-none-match': first.etag })).status, 200)
  })

  test(`the ${path} is replaced only if it is still what was read`, async () => {
    const { read, write } = await prepare()
    const { etag } = await read()
    assert.equal((await write(['mine'], { 'if-match': etag })).status, 200)
    const late = await write(['yours'], { 'if-match': etag })
    assert.equal(late.status, 412, late.text)
    assert.deepEqual((await read()).names, ['mine'])
    assert.equal((await write(['any'], { 'if-match': '*' })).status, 200)
    assert.equal((await write(['any'], { 'if-none-match': '*' })).status, 412)
    assert.equal((await write(['any'], { 'if-match': '"other"' })).status, 412)
    assert.equal((await write(['free'], {})).status, 200, 'a condition is not required')
    const several = `"other", ${(await read()).etag}`
    assert.equal((await write(['listed'], { 'if-match': several })).status, 200)
    const weak = `W/${(await read()).etag}`
    assert.equal(
      (await write(['weak'], { 'if-match': weak })).status,
      200,
      'a proxy that compresses weakens it',
    )
    assert.deepEqual((await read()).names, ['weak'])
  })

  test(`a compressed response with the ${path} has a tag that can be used`, async () => {
    const { url, read, write } = await prepare()
    const names = Array.from({ length: 40 }, (_, n) => `name-${n}`)
    await write(names, {})
    const { headers } = await api(`GET ${url}`, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(headers.get('content-encoding'), 'gzip')
    const etag = headers.get('etag') ?? ''
    assert.equal((await write(['after'], { 'if-match': etag })).status, 200)
    assert.equal((await write(['again'], { 'if-match': etag })).status, 412)
    assert.deepEqual((await read()).names, ['after'])
  })

  test(`of many who replace the ${path} that they have read, one does`, async () => {
    const { read, write } = await prepare()
    const { etag } = await read()
    const names = Array.from({ length: 20 }, (_, n) => `writer-${n}`)
    const results = await Promise.all(
      names.map((name, n) => write([name], { 'if-match': etag }, n % 2 ? api : admin.api)),
    )
    const winners = names.filter((_, n) => results[n]!.status === 200)
    assert.equal(winners.length, 1)
    assert.deepEqual((await read()).names, winners)
    assert.ok(results.every(({ status }) => status === 200 || status === 412))
  })
}

test('a condition protects lifecycle rules from being deleted, and a policy from a new visibility', async () => {
  const id = await createBucket(api, `documents-${++count}`)
  const { headers } = await api(`GET /buckets/${id}/lifecycle`)
  const before = headers.get('etag') ?? ''
  await api(`PUT /buckets/${id}/lifecycle`, { body: { rules: [rule('kept')] } })
  const refused = await api(`DELETE /buckets/${id}/lifecycle`, { headers: { 'if-match': before } })
  assert.equal(refused.status, 412)
  assert.equal((await api(`GET /buckets/${id}/lifecycle`)).body.rules.length, 1)

  const formR = { 'x-api-form': 'R' }
  const policy = (await api(`GET /buckets/${id}/policy`)).headers.get('etag') ?? ''
  await api(`PUT /buckets/${id}/policy`, { body: { statements: [statement('one')] } })
  const open = (tag: string) =>
    api(`PUT /buckets/${id}/policy`, {
      body: { visibility: 'public' },
      headers: { ...formR, 'if-match': tag },
    })
  assert.equal((await open(policy)).status, 412)
  assert.equal((await api(`GET /buckets/${id}`)).body.visibility, 'private')
  assert.equal((await open((await api(`GET /buckets/${id}/policy`)).headers.get('etag') ?? '')).status, 200)
})

test('what was refused is not in the audit log', async () => {
  const { api: other } = await storageOwner(system)
  const id = await createBucket(other, 'audited')
  const body = { statements: [statement('one')] }
  const headers = { 'if-match': '"other"' }
  assert.equal((await other(`PUT /buckets/${id}/policy`, { body, headers })).status, 412)
  assert.equal((await other(`PUT /buckets/${id}/lifecycle`, { body: { rules: [] }, headers })).status, 412)
  const newest = async () => (await other('GET /audit-logs?limit=1')).body.rows[0].action
  assert.equal(await newest(), 'bucket.created')
  assert.equal((await other(`PUT /buckets/${id}/policy`, { body })).status, 200)
  assert.equal(await newest(), 'policy.updated')
})

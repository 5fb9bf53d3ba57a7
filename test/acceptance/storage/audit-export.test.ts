import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { uuidv7 } from '#platform/ids.ts'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'

const system = await boot()
const owner = await storageOwner(system)
const { api } = owner
const bucket = await createBucket(api, 'exported')
const put = (key: string) =>
  api(`PUT /buckets/${bucket}/objects/${encodeURIComponent(key)}`, { raw: Buffer.from('x') })

const member = { fullName: 'Mem Ber', email: 'member@example.com', password }
const added = (await api('POST /members', { body: member })).body
const { token } = (await system.storage('POST /auth/login', { body: member })).body
const asMember = system.storage.bearer(token)

type Line = Record<string, string>
const exported = async (query = '') => {
  const { status, text, headers } = await api(`GET /audit-logs.csv${query}`)
  assert.equal(status, 200, text)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  return parse(text, { columns: true, record_delimiter: '\r\n' }) as Line[]
}
const listed = async (query = '') =>
  (await api(`GET /audit-logs?limit=200&${query}`)).body as { total: number; rows: Record<string, unknown>[] }

test('the exported audit log has the entries of the list, in their order', async () => {
  await put('plain.txt')
  const [lines, { rows }] = [await exported(), await listed()]
  assert.deepEqual(
    lines.map(({ action, created_at, resource_id, actor_user_id, payload }) => ({
      action,
      created_at,
      resource_id,
      actor_user_id: actor_user_id || null,
      payload: JSON.parse(payload!),
    })),
    rows.map(({ action, created_at, resource_id, actor_user_id, payload }) => ({
      action,
      created_at,
      resource_id,
      actor_user_id,
      payload,
    })),
  )
  assert.equal(lines[0]!.actor_email, owner.email)
  assert.equal(lines[0]!.object_key, 'plain.txt')
})

test('a key that a spreadsheet would run is made harmless in the exported log', async () => {
  const hostile = `=HYPERLINK("http://x","a,b")`
  await put(hostile)
  const { text } = await api('GET /audit-logs.csv?action=object.uploaded')
  assert.ok(text.includes(`"'=HYPERLINK(""http://x"",""a,b"")"`), text)
  assert.equal((await exported('?action=object.uploaded'))[0]!.object_key, `'${hostile}`)
})

test('an export longer than one batch has every entry once', async () => {
  const long = await storageOwner(system)
  await system.sql`
    insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, ip_address, payload, created_at)
    select gen_random_uuid(), ${long.organization.id}, 'object.uploaded', 'object', n::text, '192.0.2.1', '{}',
      ${system.clock.now()} from generate_series(1, 1203) n`
  const { text } = await long.api('GET /audit-logs.csv?action=object.uploaded')
  const lines = parse(text, { columns: true }) as Line[]
  assert.equal(new Set(lines.map(({ resource_id }) => resource_id)).size, 1203)
  assert.equal(lines.length, 1203)
})

test('the log is filtered by person and by time, in the list and in the export', async () => {
  await asMember(`PUT /buckets/${bucket}/objects/theirs`, { raw: Buffer.from('x') })
  const theirs = await listed(`actorUserId=${added.id}`)
  assert.deepEqual(
    theirs.rows.map(({ action }) => action),
    ['object.uploaded', 'auth.logged_in'],
  )
  assert.equal(theirs.total, 2)
  assert.equal((await exported(`?actorUserId=${added.id}`)).length, 2)
  assert.equal((await listed(`actorUserId=${added.id}&action=object.uploaded`)).total, 1)

  const [newest] = (await listed()).rows as { created_at: string; id: string }[]
  const at = newest!.created_at
  const after = new Date(Date.parse(at) + 1).toISOString()
  assert.equal((await listed(`from=${after}`)).total, 0, 'nothing is newer')
  assert.ok(
    (await listed(`from=${at}`)).rows.some(({ id }) => id === newest!.id),
    'from is included',
  )
  assert.ok(!(await listed(`to=${at}`)).rows.some(({ id }) => id === newest!.id), 'to is not')
  assert.ok((await listed(`to=${after}`)).rows.some(({ id }) => id === newest!.id))
  const { total } = await listed()
  assert.equal((await listed(`to=${at}`)).total + (await listed(`from=${at}`)).total, total)
})

test('filters that are no id and no time are refused with the name of the field', async () => {
  for (const [field, value] of [
    ['actorUserId', 'me'],
    ['from', 'yesterday'],
    ['to', '2026-13-30T00:00:00Z'],
    ['to', '2026-02-03'],
  ] as const)
    for (const path of ['/audit-logs', '/audit-logs.csv']) {
      const { status, body } = await api(`GET ${path}?${field}=${value}`)
      assert.equal(status, 400, `${path}?${field}=${value}`)
      assert.ok(body.message.startsWith(`${field} `), body.message)
    }
})

test('times outside the calendar of the database are fine', async () => {
  const { total } = await listed()
  assert.equal((await listed('from=0000-01-01T00:00:00Z')).total, total)
  assert.equal((await listed('from=0001-01-01T00:00:00%2B14:00&to=9999-12-31T23:59:59Z')).total, total)
  assert.equal((await listed('to=0000-01-01T00:00:00Z')).total, 0)
})

test('the choices for filters are the actions of the log and the people of the organization', async () => {
  const { status, body } = await api('GET /audit-logs/filters')
  assert.equal(status, 200)
  assert.deepEqual(
    body.actors.map(({ email }: { email: string }) => email).sort(),
    [member.email, owner.email].sort(),
  )
  for (const { action, rows } of body.actions)
    assert.equal((await listed(`action=${action}`)).total, rows, action)
})

test('members and other organizations get nothing of the log', async () => {
  for (const path of ['/audit-logs.csv', '/audit-logs/filters']) {
    assert.equal((await asMember(`GET ${path}`)).status, 403, path)
    assert.equal((await system.storage(`GET ${path}`)).status, 401, path)
  }
  const other = await storageOwner(system)
  const { text } = await other.api(`GET /audit-logs.csv?actorUserId=${owner.user.id}`)
  assert.equal(text.split('\r\n').length, 2, 'the header alone')
  assert.equal((await other.api(`GET /audit-logs?actorUserId=${uuidv7()}`)).body.total, 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

test('a node whose first request carries an Idempotency-Key serves the following ones', async () => {
  const system = await boot()
  const writer = await publisher(system)
  const first = (await writer.api('POST /api/posts', { body: { content: 'before the restart' } })).body.data
    .post
  const restarted = await boot({ database: { url: system.databaseUrl } })
  const api = restarted.publishing.bearer(writer.token)
  const headers = { 'idempotency-key': 'first-request-of-this-node' }
  const reply = { content: 'so?', type: 'reply', parentId: first.id }
  const created = await api('POST /api/posts', { headers, body: reply })
  assert.equal(created.status, 201, created.text)
  for (const call of [
    `GET /api/posts/${first.id}`,
    `GET /api/posts/${first.id}/replies`,
    `GET /api/users/${writer.handle}/posts`,
    `POST /api/posts/${first.id}/like`,
    `DELETE /api/posts/${first.id}/like`,
  ]) {
    const { status, text } = await api(call)
    assert.equal(status, 200, `${call}: ${text}`)
  }
  const edited = await api(`PATCH /api/posts/${first.id}`, { body: { content: 'after the restart' } })
  assert.equal(edited.status, 200, edited.text)
})

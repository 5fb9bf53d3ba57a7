import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildServer } from '#platform/http/server.ts'
import type { Service } from '#platform/http/service.ts'
import { storage } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'

const { platform } = await boot()

test('when an error page cannot be rendered, the error is sent as JSON and the reason stays inside', async () => {
  const errorPage = () => {
    throw new Error('no such file: /srv/style.css')
  }
  const service = { ...(storage as unknown as Service), ready: undefined, errorPage }
  const server = await buildServer(service as never, storage.context(platform))
  const { statusCode, headers, body } = await server.inject({
    url: '/nowhere',
    headers: { accept: 'text/html' },
  })
  await server.close()
  assert.equal(statusCode, 404)
  assert.match(String(headers['content-type']), /^application\/json/)
  assert.equal(JSON.parse(body).statusCode, undefined, 'not the body of the framework')
  assert.doesNotMatch(body, /style\.css/)
})

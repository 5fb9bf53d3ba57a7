import assert from 'node:assert/strict'
import { get } from 'node:https'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { certificate } from '#test/support/tls.ts'

const { ca, env } = await certificate()

test('with a certificate the services use HTTPS and send Strict-Transport-Security', async (t) => {
  const system = await boot({ t, env })
  const { port, protocol } = new URL(system.urls.storage)
  assert.equal(protocol, 'https:')
  const answer = await new Promise<{ status?: number | undefined; hsts?: string | undefined }>(
    (resolve, reject) =>
      get({ host: 'localhost', port, path: '/no/such', ca, agent: false }, (res) => {
        res.resume()
        resolve({ status: res.statusCode, hsts: res.headers['strict-transport-security'] })
      }).on('error', reject),
  )
  assert.deepEqual(answer, { status: 404, hsts: 'max-age=31536000' })
})

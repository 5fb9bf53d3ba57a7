import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

test('pages renounce what they do not use, and over HTTPS load nothing without it', async (t) => {
  const system = await boot({ t, env: { PUBLISHING_URL: 'https://social.example', TRUST_PROXY: '1' } })
  const { handle } = await publisher(system)
  const html = { headers: { accept: 'text/html' } }
  for (const path of ['/', `/@${handle}`, '/sign-in', '/docs', '/no-such-page']) {
    const { headers } = await system.publishing(`GET ${path}`, html)
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/, path)
    assert.match(headers.get('content-security-policy') ?? '', /; upgrade-insecure-requests$/, path)
  }
  const { headers } = await system.publishing(`GET /api/users/${handle}`)
  assert.equal(headers.get('permissions-policy'), null, 'JSON is no page')
  const plain = await system.storage('GET /docs')
  assert.doesNotMatch(plain.headers.get('content-security-policy') ?? '', /upgrade-insecure/)
})

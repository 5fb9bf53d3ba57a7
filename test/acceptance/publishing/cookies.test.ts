import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { freePort } from '#test/support/postgres.ts'
import { form, signIn } from './support/forms.ts'

const plain = await boot()
const proxied = await boot({ env: { TRUST_PROXY: '1' }, database: { url: plain.databaseUrl } })
const named = await boot({
  env: { PUBLISHING_URL: 'https://pages.example', PUBLISHING_PORT: String(await freePort()) },
  database: { url: plain.databaseUrl },
})
const viaHttps = proxied.publishing.with({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' })
const home = 'GET /home'

test('over plain http the session cookie has no prefix', async () => {
  const { email } = await publisher(plain)
  const cookie = await signIn(plain.publishing, email)
  assert.match(cookie, /^trivet_publishing=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const [pair = ''] = cookie.split(';')
  assert.equal((await plain.publishing.with({ cookie: pair })(home)).status, 200)
})

for (const [how, secure] of [
  ['behind a trusted proxy that received https', viaHttps],
  ['with a public https address', named.publishing],
] as const)
  test(`${how} the session cookie has the __Host- prefix, and no other cookie is accepted`, async () => {
    const { email } = await publisher(plain)
    const cookie = await signIn(secure, email)
    assert.match(
      cookie,
      /^__Host-trivet_publishing=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    )
    assert.ok(!/domain/i.test(cookie))
    const [pair = ''] = cookie.split(';')
    assert.equal((await secure.with({ cookie: pair })(home)).status, 200)
    assert.equal((await secure.with({ cookie: `a=b; ${pair}; c=d` })(home)).status, 200)

    const planted = (await signIn(plain.publishing, email)).split(';')[0]!
    assert.equal((await secure.with({ cookie: planted })(home)).status, 401, 'a session without the prefix')
    const stripped = pair.replace('__Host-', '')
    assert.equal((await secure.with({ cookie: stripped })(home)).status, 401)
    const both = secure.with({ cookie: `${planted}; ${pair}` })
    const token = /name="token" value="([^"]+)"/.exec((await both('GET /keys')).text)![1]!
    const out = await both('POST /sign-out', form({ token }))
    assert.equal(out.status, 303)
    assert.match(out.headers.get('set-cookie')!, /^__Host-trivet_publishing=; Path=\/; Max-Age=0; .*Secure$/)
    assert.equal((await secure.with({ cookie: pair })(home)).status, 401)
    assert.equal((await plain.publishing.with({ cookie: planted })(home)).status, 200, 'not that one')
  })

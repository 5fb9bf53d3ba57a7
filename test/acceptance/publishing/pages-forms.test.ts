import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { browserOf, form } from './support/forms.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_forms', username: 'Mira' })
const { browser, token, send } = await browserOf(publishing, mira.email)

const noteOn = (text: string) => /class="(?:note|problem)"[^>]*>([^<]*)</.exec(text)?.[1]
const newest = async () => (await mira.api('GET /api/users/mira_forms/posts?limit=1')).body
const profile = async () => (await mira.api('GET /api/users/me')).body.data

test('a form token with non-ASCII characters is refused like any wrong token', async () => {
  for (const wrong of [
    'é'.repeat(token.length),
    '😀'.repeat(token.length / 2),
    'x'.repeat(token.length),
    '',
  ]) {
    const { status } = await browser('POST /compose', form({ token: wrong, content: 'not mine' }))
    assert.equal(status, 403, wrong)
  }
  assert.equal((await newest()).meta.total, 0)
})

test('composing a reply, quote or edit with a malformed id responds 404', async () => {
  for (const name of ['reply', 'quote', 'edit'])
    for (const id of ['abc', '', '0', '-1', '1.5', '9'.repeat(19), '999999999']) {
      const { status, text } = await send('/compose', { content: 'a draft', [name]: id })
      assert.equal(status, 404, `${name}=${id}: ${text}`)
    }
  assert.equal((await newest()).meta.total, 0)
})

test('line breaks in forms count as one character, although browsers send CRLF', async () => {
  const lines = `${'x'.repeat(27)}\r\n`.repeat(10)
  assert.equal((await send('/compose', { content: `${lines}y` })).status, 422, '281 characters')
  const most = `${lines.slice(1)}y`
  assert.equal((await send('/compose', { content: most })).status, 303, '280 characters')
  const { content } = (await newest()).data.posts[0]
  assert.equal(content, most.replaceAll('\r', ''))
  const bio = 'a\r\n'.repeat(250)
  assert.equal((await send('/settings', { username: 'Mira', bio })).status, 303)
  assert.equal((await profile()).bio, bio.replaceAll('\r', ''))
  assert.equal((await send('/settings', { username: 'Mira', bio: `${bio}b` })).status, 422)
})

test('the settings form accepts the same URLs as the API', async () => {
  const accepted = {
    'https://example.com/a?b=c': 'https://example.com/a?b=c',
    'HTTP://EXAMPLE.com': 'HTTP://EXAMPLE.com',
    'https://例え.jp/ö': 'https://xn--r8jz45g.jp/%C3%B6',
    'https://example.com/a|b': 'https://example.com/a%7Cb',
    '': null,
  }
  const refused = [
    'x',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https://a b',
    'https://x/"><b>',
    'https://{x}/',
  ]
  for (const [website, stored] of Object.entries(accepted)) {
    const viaForm = await send('/settings', { username: 'Mira', website })
    assert.equal(viaForm.status, 303, website)
    assert.equal((await profile()).website, stored)
    const viaApi = await mira.api('PATCH /api/users/me', { body: { website: website || null } })
    assert.equal(viaApi.status, 200, website)
    assert.equal(viaApi.body.data.website, stored)
  }
  for (const address of [...refused, `https://example.com/${'x'.repeat(2048)}`]) {
    const { status, text } = await send('/settings', { username: 'Mira', website: address })
    assert.equal(status, 422, address)
    assert.match(noteOn(text)!, /^Website must (be a web address|have at most 2048)/)
    for (const field of ['website', 'avatar_url', 'banner_url'])
      assert.equal((await mira.api('PATCH /api/users/me', { body: { [field]: address } })).status, 422)
  }
})

test('forms explain errors in words, not with regular expressions', async () => {
  const said = async (path: string, fields: Record<string, string>) => noteOn((await send(path, fields)).text)
  assert.equal(await said('/settings', { username: '  ' }), 'Name must not be blank')
  assert.equal(await said('/keys', { name: ' ' }), 'Name must not be blank')
  const { text, status } = await publishing(
    'POST /sign-up',
    form({ email: 'a@example.com', password: 'correct horse', username: 'A', handle: 'not-good' }),
  )
  assert.equal(status, 422)
  assert.equal(noteOn(text), 'Handle can only have letters, digits and underscores')
})

test('a form that is too large is refused with the maximum size', async () => {
  const { status, text } = await send('/compose', { content: 'x'.repeat(20_000) })
  assert.equal(status, 413)
  assert.equal(noteOn(text), 'A form can hold 16 kilobytes at most.')
})

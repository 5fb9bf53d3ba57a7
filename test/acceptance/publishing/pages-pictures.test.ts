import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf, form } from './support/forms.ts'
import { jpeg, paddedTo, pictureForm } from './support/images.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_looks', username: 'Mira' })
const { browser, token, send } = await browserOf(publishing, mira.email)
const profile = async () => (await mira.api('GET /api/users/me')).body.data
const upload = (kind: string, image: Buffer, fields: Record<string, string> = { token }) =>
  browser(`POST /settings/${kind}`, pictureForm(image, fields, kind))
const problemOn = (text: string) => /class="problem"[^>]*>([^<]*)</.exec(text)?.[1]

test('pictures are uploaded and removed with forms, and shown wherever the account is', async () => {
  assert.match((await browser('GET /settings/pictures')).text, /type="file"[^>]*name="avatar"/)
  for (const kind of ['avatar', 'banner']) {
    const { status, headers } = await upload(kind, await jpeg())
    assert.deepEqual([status, headers.get('location')], [303, '/settings/pictures'])
  }
  const { avatar_url, banner_url } = await profile()
  const small = avatar_url.replace('-400.', '-96.')
  const page = await publishing('GET /@mira_looks')
  assert.ok(page.text.includes(`src="${avatar_url}"`) && page.text.includes(`src="${banner_url}"`))
  assert.ok(page.text.includes(`srcset="${banner_url.replace('-1500.', '-600.')} 600w`))
  assert.match(page.text, /property="og:image" content="[^"]*-400\.webp"/)
  const header = /<details class="menu account">.*?<\/summary>/s
  assert.ok(header.exec((await browser('GET /search')).text)?.[0].includes(`src="${small}"`), 'in the header')
  await writePost(mira, 'Look at me')
  assert.ok((await publishing('GET /')).text.includes(`src="${small}"`), 'small beside posts')
  const embed = await publishing('GET /widget/embed/mira_looks')
  assert.ok(embed.text.includes(`src="${small}"`))
  const origin = new URL(publishing.base).origin
  assert.ok(embed.headers.get('content-security-policy')!.includes(`img-src ${origin} https: data:`))
  const feed = (await publishing('GET /api/users/mira_looks/feed.json')).text
  assert.equal(JSON.parse(feed).icon, avatar_url)
  assert.match((await browser('GET /settings/pictures')).text, /Remove picture/)
  assert.equal((await send('/settings/avatar/remove')).status, 303)
  assert.equal((await profile()).avatar_url, null)
  assert.doesNotMatch((await browser('GET /settings/pictures')).text, /Remove picture/)
})

test('saving the profile keeps its pictures, which have a page of their own', async () => {
  await upload('avatar', await jpeg())
  const before = await profile()
  const shown = (await browser('GET /settings')).text
  assert.doesNotMatch(shown, /name="(avatar|banner)_url"/)
  assert.match(shown, /href="\/settings\/pictures"/)
  assert.equal((await send('/settings', { username: 'Mira' })).status, 303)
  assert.equal((await profile()).avatar_url, before.avatar_url)
  assert.equal((await profile()).banner_url, before.banner_url)
})

test('the form says at the field why a picture is refused', async () => {
  const image = await jpeg()
  const tooLarge = await upload('avatar', paddedTo(image, 2 * 1024 * 1024 + 1))
  assert.equal(tooLarge.status, 413)
  assert.match(problemOn(tooLarge.text)!, /at most 2 MiB/)
  const text = await upload('banner', Buffer.from('hello'))
  assert.equal(text.status, 415)
  assert.match(problemOn(text.text)!, /must be a JPEG, PNG/)
  const broken = await upload('avatar', image.subarray(0, 1000))
  assert.equal(broken.status, 422)
  assert.equal(problemOn(broken.text), 'The picture cannot be read: it is damaged or incomplete')
  const none = await upload('avatar', Buffer.alloc(0))
  assert.equal(none.status, 422)
  assert.equal(problemOn(none.text), 'The picture is required')
})

test('a form without the token of its session changes nothing', async () => {
  const before = (await profile()).avatar_url
  for (const fields of [{}, { token: 'x'.repeat(token.length) }])
    assert.equal((await upload('avatar', await jpeg(), fields as Record<string, string>)).status, 403)
  assert.equal((await publishing('POST /settings/avatar', pictureForm(await jpeg(), { token }))).status, 401)
  assert.equal((await browser('POST /settings/avatar/remove', form({}))).status, 403)
  const foreign = { ...pictureForm(await jpeg(), { token }), headers: { origin: 'https://evil.example' } }
  assert.equal((await browser('POST /settings/avatar', foreign)).status, 403)
  assert.equal((await profile()).avatar_url, before)
})

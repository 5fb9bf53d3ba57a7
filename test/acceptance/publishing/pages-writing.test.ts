import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf } from './support/forms.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_writes', username: 'Mira' })
const miras = await browserOf(publishing, mira.email)
const post = await writePost(mira, 'A post')
const path = new URL(post.url).pathname

const cancelOf = (text: string) => /<a class="cancel" href="([^"]+)"/.exec(text)?.[1]
const composeFrom = async (query: string, referer?: string) =>
  (
    await miras.browser(`GET /compose${query}`, {
      headers: referer === undefined ? {} : { referer: publishing.base + referer },
    })
  ).text

test('Cancel leads back to the page from which one came to write, and to the post in it', async () => {
  assert.equal(cancelOf(await composeFrom('', '/tags/sea?limit=5')), '/tags/sea?limit=5')
  assert.equal(cancelOf(await composeFrom(`?reply=${post.id}`, '/home')), `/home#p-${post.id}`)
  assert.equal(cancelOf(await composeFrom(`?edit=${post.id}`, path)), `${path}#p-${post.id}`)
  const afterProblem = await miras.send('/compose', { content: 'x'.repeat(281), back: '/search?q=sea' })
  assert.equal(afterProblem.status, 422)
  assert.equal(cancelOf(afterProblem.text), '/search?q=sea')
})

test('Cancel leads to the post or home if one came from nowhere, from the form itself or from another site', async () => {
  for (const referer of [undefined, '/compose', '/sign-in?next=/compose', `/search?q=${'x'.repeat(2_000)}`]) {
    assert.equal(cancelOf(await composeFrom('', referer)), '/home', String(referer))
    assert.equal(cancelOf(await composeFrom(`?quote=${post.id}`, referer)), path, String(referer))
  }
  const foreign = await miras.browser('GET /compose', { headers: { referer: 'https://evil.example/x' } })
  assert.equal(cancelOf(foreign.text), '/home')
  const tampered = await miras.send('/compose', { content: '', back: '//evil.example/' })
  assert.equal(cancelOf(tampered.text), '/home')
})

test('Preview shows the text as it will look, keeps it in the form and publishes nothing', async () => {
  const content = 'Some **bold** and `code` by @mira_writes #sea <script>'
  const { status, text } = await miras.send('/compose', { content, preview: 'yes', back: '/tags/sea' })
  assert.equal(status, 200)
  const shown = /<div class="preview">(.*?)<\/div><\/div>/s.exec(text)![1]!
  assert.match(
    shown,
    /<strong>bold<\/strong> and <code>code<\/code> by <a href="\/@mira_writes">@mira_writes<\/a>/,
  )
  assert.match(shown, /href="\/tags\/sea"/)
  assert.doesNotMatch(shown, /<script/)
  assert.match(text, /<textarea[^>]*>Some \*\*bold\*\*/)
  assert.equal(cancelOf(text), '/tags/sea')
  const reply = await miras.send('/compose', { content, preview: 'yes', reply: String(post.id) })
  assert.match(reply.text, new RegExp(`name="reply" value="${post.id}"`))
  for (const bad of ['', ' ', 'x'.repeat(281)]) {
    const refused = await miras.send('/compose', { content: bad, preview: 'yes' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /id="content-problem"/)
  }
  assert.equal((await publishing('GET /api/users/mira_writes')).body.data.post_count, 1)
})

test('a suspended account that sends a form is told so, instead of being asked to sign in', async () => {
  const bad = await publisher(system)
  const own = await browserOf(publishing, bad.email)
  await setFlags(service.context(system.platform), bad.handle, { is_suspended: true })
  for (const [to, fields] of [
    ['/compose', { content: 'hello' }],
    ['/settings', { username: 'Other' }],
    ['/keys', { name: 'script' }],
    ['/notifications/read', {}],
  ] as const) {
    const { status, text } = await own.send(to, fields)
    assert.equal(status, 403, to)
    assert.match(text, /<h1>Your account is suspended<\/h1>/, to)
    assert.match(text, /Nothing has been published or changed/)
    assert.doesNotMatch(text, /name="password"/)
  }
  assert.match((await own.browser('GET /home')).text, /Your account is suspended/)
  assert.match((await miras.browser(`GET /@${bad.handle}`)).text, /<h1>This account is suspended<\/h1>/)
})

test('lists of followers, followed accounts, likes and reposts have follow buttons for members', async () => {
  const [star, fan, shy] = [await publisher(system), await publisher(system), await publisher(system)]
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const { id, url } = await writePost(star, 'liked by all')
  for (const { api } of [fan, shy, mira]) {
    await api(`POST /api/users/${star.handle}/follow`)
    await api(`POST /api/posts/${id}/like`)
  }
  const buttonsIn = async (at: string, browser = miras.browser) =>
    [...(await browser(`GET ${at}`)).text.matchAll(/data-key="follow" aria-label="([^"]+)"/g)].map(
      ([, label]) => label,
    )
  const lists = [`/@${star.handle}/followers`, `${new URL(url).pathname}/likes`]
  const both = [`Follow @${shy.handle}`, `Follow @${fan.handle}`]
  for (const at of lists) assert.deepEqual(await buttonsIn(at), both, `${at}, without oneself`)
  assert.deepEqual(await buttonsIn(lists[0]!, publishing), [], 'visitors have none')
  const next = `${lists[0]}#u-${fan.handle}`
  const followed = await miras.send(`/@${fan.handle}`, { action: 'follow', next })
  assert.equal(followed.headers.get('location'), next)
  await miras.send(`/@${shy.handle}`, { action: 'follow', next })
  const changed = [`Cancel request to follow @${shy.handle}`, `Unfollow @${fan.handle}`]
  for (const at of lists) assert.deepEqual(await buttonsIn(at), changed)
  await mira.api(`POST /api/users/${fan.handle}/block`)
  assert.deepEqual(await buttonsIn(lists[1]!), changed.slice(0, 1), 'none for whom one blocks')
  const part = await miras.browser(`POST /@${shy.handle}`, {
    raw: new URLSearchParams({ token: miras.token, action: 'unfollow', next }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-part': '.choice' },
  })
  assert.match(part.text, new RegExp(`aria-label="Follow @${shy.handle}"`))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { password, publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf, form } from './support/forms.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_place', username: 'Mira' })
const jonas = await publisher(system, { handle: 'jonas_place', username: 'Jonas' })
const { browser, token, send } = await browserOf(publishing, mira.email)
const post = await writePost(jonas, 'Where one was')
const own = `/@jonas_place/${post.id}`

const hiddenFields = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&amp;', '&'),
    ]),
  )

test('after a like or a repost the browser is sent back to the post on the page it came from', async () => {
  const { text } = await browser('GET /?limit=5')
  const next = `/?limit=5#p-${post.id}`
  assert.ok(text.includes(`<article class="post h-entry" id="p-${post.id}"`))
  assert.ok(text.includes(`name="next" value="${next}"`))
  for (const action of ['like', 'unlike', 'repost', 'unrepost'])
    assert.equal((await send(`/posts/${post.id}`, { action, next })).headers.get('location'), next)
})

test('a script gets the new numbers and buttons of a post instead of a redirect', async () => {
  const act = (action: string, next: string) =>
    browser(`POST /posts/${post.id}`, form({ action, token, next }, { 'x-part': '.below' }))
  const liked = await act('like', `/#p-${post.id}`)
  assert.equal(liked.status, 200)
  assert.match(liked.text, /^<div class="below"><form [\s\S]*value="unlike"[\s\S]*Unlike, 1 like</)
  assert.doesNotMatch(liked.text, /<html|value="delete"/)
  const onOwnPage = await act('unlike', `${own}#p-${post.id}`)
  assert.match(onOwnPage.text, /value="like"/)
  assert.equal(
    (await browser(`POST /posts/${post.id}`, form({ action: 'like' }, { 'x-part': 'x' }))).status,
    403,
  )
})

test('a script gets the new header of a profile, or the new button of a list', async () => {
  const act = (action: string, part: string) =>
    browser('POST /@jonas_place', form({ action, token, next: '/x' }, { 'x-part': part }))
  const followed = await act('follow', '.profile')
  assert.match(
    followed.text,
    /^<section class="profile h-card">[\s\S]*value="unfollow"[\s\S]*<b>1<\/b> follower/,
  )
  const left = await act('unfollow', '.choice')
  assert.match(left.text, /^<form class="choice"[\s\S]*value="follow"[^>]*aria-label="Follow @jonas_place"/)
})

test('what was written when the session ended is in the form again after signing in, even at the second try', async () => {
  const content = 'Not <lost> & "found"\nin two lines'
  const sent = await publishing('POST /compose', form({ content, reply: String(post.id), token: 'old' }))
  assert.equal(sent.status, 401)
  const wrong = await publishing(
    'POST /sign-in',
    form({ ...hiddenFields(sent.text), email: mira.email, password: 'wrong password' }),
  )
  assert.equal(wrong.status, 401)
  const again = await publishing(
    'POST /sign-in',
    form({ ...hiddenFields(wrong.text), email: mira.email, password }),
  )
  assert.equal(again.status, 200)
  assert.ok(again.text.includes('Not &lt;lost&gt; &amp; &quot;found&quot;\nin two lines</textarea>'))
  const fields = hiddenFields(again.text)
  assert.equal(fields.reply, String(post.id))
  assert.notEqual(fields.token, token)
  const cookie = again.headers.get('set-cookie')!.split(';')[0]!
  const published = await publishing.with({ cookie })(
    'POST /compose',
    form({ content, reply: String(post.id), token: fields.token! }),
  )
  assert.equal(published.status, 303)
})

test('a form with an old token is shown again as it was filled in, with a token that works', async () => {
  for (const [path, fields, kept] of [
    ['/compose', { content: 'kept text' }, 'kept text</textarea>'],
    ['/settings', { username: 'Mira', bio: 'kept bio' }, 'kept bio</textarea>'],
    ['/keys', { name: 'kept name' }, 'value="kept name"'],
  ] as const) {
    const stale = await browser(`POST ${path}`, form({ ...fields, token: 'old' }))
    assert.equal(stale.status, 403, path)
    assert.match(stale.text, /class="note"[^>]*>This page was out of date/)
    assert.ok(stale.text.includes(kept), path)
    const fresh = hiddenFields(stale.text).token!
    // Refused for what it says, no longer for its token.
    assert.equal((await browser('POST /compose', form({ content: '', token: fresh }))).status, 422)
  }
})

test('signing in and signing up lead back to where one was, otherwise home', async () => {
  const locationAfter = async (path: string, fields: Record<string, string>) =>
    (await publishing(`POST ${path}`, form({ password, ...fields }))).headers.get('location')
  const { email } = mira
  assert.equal(await locationAfter('/sign-in', { email }), '/home')
  assert.equal(await locationAfter('/sign-in', { email, next: `${own}#p-1` }), `${own}#p-1`)
  const joined = { email: 'back@example.com', handle: 'back_place', username: 'Back' }
  assert.equal(await locationAfter('/sign-up', { ...joined, next: own }), own)
  const other = { email: 'home@example.com', handle: 'home_place', username: 'Home' }
  assert.equal(await locationAfter('/sign-up', { ...other, next: '//evil.example' }), '/home')
  const form401 = await publishing(`POST /posts/${post.id}`, {
    ...form({ action: 'like' }),
    headers: { 'content-type': 'application/x-www-form-urlencoded', referer: `${publishing.base}${own}` },
  })
  assert.equal(hiddenFields(form401.text).next, own)
})

test('refused fields are marked, described by their message, and the first has the focus', async () => {
  const { text } = await publishing(
    'POST /sign-up',
    form({ email: 'x', password: 'short', handle: 'mira_place', username: 'X' }),
  )
  assert.match(
    text,
    /<input type="email" id="field-email" name="email" aria-describedby="email-problem" aria-invalid="true" autofocus/,
  )
  assert.match(
    text,
    /name="password" aria-describedby="password-hint password-problem" aria-invalid="true" auto(?!focus)/,
  )
  assert.doesNotMatch(text, /name="username"[^>]*aria-invalid/)
  const taken = await publishing(
    'POST /sign-up',
    form({ email: 'x@example.com', password, handle: 'mira_place', username: 'X' }),
  )
  assert.match(taken.text, /id="handle-problem">Handle is taken</)
})

test('visitors see the buttons, which lead to the sign-in and then to what they wanted', async () => {
  const { text } = await publishing(`GET ${own}`)
  const back = (path: string) => `href="/sign-in?next=${encodeURIComponent(path)}"`
  assert.ok(text.includes(back(`/compose?reply=${post.id}`)))
  assert.ok(text.includes(back(`${own}#p-${post.id}`)))
  const profile = (await publishing('GET /@jonas_place')).text
  assert.ok(profile.includes(`${back('/@jonas_place')}>Follow<`))
  const shy = await publisher(system)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  assert.match((await publishing(`GET /@${shy.handle}`)).text, />Request to follow</)
  assert.match((await browser(`GET /@${shy.handle}`)).text, /value="follow"[^>]*>Request to follow</)
})

test('the form to edit a post exists for its author only', async () => {
  assert.equal((await browser(`GET /compose?edit=${post.id}`)).status, 404)
  const jonass = await browserOf(publishing, jonas.email)
  assert.equal((await jonass.browser(`GET /compose?edit=${post.id}`)).status, 200)
})

test('addresses with a slash at the end or an escaped @ are redirected to the page', async () => {
  for (const [path, to] of [
    ['/@mira_place/', '/@mira_place'],
    ['/%40mira_place', '/@mira_place'],
    [`/%40jonas_place/${post.id}?page=1`, `${own}?page=1`],
    [`${own}/likes/`, `${own}/likes`],
    ['/@mira_place/followers/', '/@mira_place/followers'],
    ['/tags/x/', '/tags/x'],
    ['/search/?q=a', '/search?q=a'],
  ] as const) {
    const { status, headers } = await publishing(`GET ${path}`)
    assert.equal(status, 308, path)
    assert.equal(headers.get('location'), to)
  }
})

test('an address of slashes alone costs no more than any other', async () => {
  const before = process.threadCpuUsage()
  for (let i = 0; i < 5; i++) {
    const { status } = await publishing(`GET /@mira_place${'/'.repeat(15_500)}x`)
    assert.ok(status < 500)
  }
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 150_000, `${(user + system) / 1000} ms`)
})

test('a new account is welcomed at home and asked for a first post on its profile', async () => {
  const fresh = await publisher(system)
  const own = await browserOf(publishing, fresh.email)
  const home = (await own.browser('GET /home')).text
  for (const path of ['/', '/compose', '/settings']) assert.match(home, new RegExp(`<li><a href="${path}">`))
  assert.match((await own.browser(`GET /@${fresh.handle}`)).text, /Write your first post/)
  assert.doesNotMatch((await browser(`GET /@${fresh.handle}`)).text, /Write your first post/)
})

test('search results are counted, and what was searched for is marked outside of tags and entities', async () => {
  await writePost(mira, 'Amp & AMP <b> https://example.com/amp #amplified')
  const { text } = await publishing('GET /search?q=amp')
  assert.match(text, /1 post for “<bdi>amp<\/bdi>”/)
  assert.match(
    text,
    /<mark>Amp<\/mark> &amp; <mark>AMP<\/mark> &lt;b&gt; <a href="https:\/\/example.com\/amp"/,
  )
})

test('replies in lists say whom they reply to, and long addresses are shortened', async () => {
  await writePost(mira, 'An answer', { type: 'reply', parentId: post.id })
  const long = `https://example.com/${'path/'.repeat(20)}`
  await writePost(mira, `See ${long} or [https://bank.example/${'x'.repeat(60)}](https://other.example)`)
  const { text } = await publishing('GET /@mira_place')
  assert.match(text, new RegExp(`Replying to <a class="u-in-reply-to" href="${own}">@jonas_place</a>`))
  assert.match(text, new RegExp(`href="${long}"[^>]*>example.com/path/[^<]{1,40}…</a>`))
  assert.ok(text.includes(`>https://bank.example/${'x'.repeat(60)}</a>`), 'a text that its author chose')
})

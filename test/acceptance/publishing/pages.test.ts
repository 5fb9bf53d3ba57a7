import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { password, publisher } from '#test/support/factories.ts'
import { freePort } from '#test/support/postgres.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf, form, signIn } from './support/forms.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_pages', username: 'Mira <Pages>' })
const jonas = await publisher(system, { handle: 'jonas_pages', username: 'Jonas' })

const write = (content: string, more: object = {}, by = mira) => writePost(by, content, more)
const page = async (path: string, api: Client = publishing) => {
  const answer = await api(`GET ${path}`)
  assert.match(answer.headers.get('content-type')!, /^text\/html/, path)
  return answer
}
const root = await write('What a day for pages #pageday')
const reply = await write('Indeed', { type: 'reply', parentId: root.id }, jonas)
const { browser, token } = await browserOf(publishing, mira.email)

test('every page is HTML with a strict content security policy, a new nonce, and may not be framed', async () => {
  const paths = [
    '/',
    '/@mira_pages',
    new URL(root.url).pathname,
    '/tags/pageday',
    '/search?q=day',
    '/sign-in',
  ]
  for (const path of paths) {
    const [first, second] = [await page(path), await page(path)]
    assert.equal(first.status, 200, path)
    const csp = first.headers.get('content-security-policy')!
    assert.match(csp, /default-src 'none'.*img-src 'self' https: data:.*frame-ancestors 'none'/)
    assert.doesNotMatch(csp, /unsafe/)
    assert.notEqual(csp, second.headers.get('content-security-policy'))
    const nonce = /script-src 'nonce-([^']+)'/.exec(csp)![1]
    for (const [, tag] of first.text.matchAll(/<(?:script|style)([^>]*)>/g))
      assert.ok(tag === ` nonce="${nonce}"` || tag === ' type="application/ld+json"')
    assert.doesNotMatch(first.text, /<[^>]+ (style|on\w+)=/)
    assert.ok(first.text.includes('<main id="content"'))
  }
})

test('any punctuation may stand in a search, and the words that are found are marked', async () => {
  await write('An x-ray of a_b and c/d, once more.')
  const { text } = await page('/search?q=x-ray')
  assert.match(text, /<mark>x-ray<\/mark>/i)
  const punctuation = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter((c) =>
    /\W|_/.test(c),
  )
  const queries = punctuation.flatMap((c) => [c, `${c}1`, `a${c}b`, `a${c}`, `${c}${c}>`])
  for (const q of [...queries, '\\', '(?:a', 'a{2}', '[a-', '\u{1f600}-\u{1f3fd}', '\ud7ff-\u0301']) {
    const { status } = await page(`/search?q=${encodeURIComponent(q)}`)
    assert.ok(status === 200 || (status === 422 && !/[a-z0-9]/.test(q)), `${status} for ${q}`)
  }
})

test('pages have metadata: canonical URL, OpenGraph, feeds and oEmbed', async () => {
  const { text } = await page('/@MIRA_pages')
  const base = publishing.base
  assert.ok(text.includes(`<link rel="canonical" href="${base}/@mira_pages">`))
  assert.ok(text.includes('<meta property="og:title" content="Mira &lt;Pages&gt; (@mira_pages)">'))
  for (const [type, extension] of [
    ['rss+xml', 'rss'],
    ['atom+xml', 'atom'],
    ['feed+json', 'json'],
  ] as const) {
    const href = new RegExp(
      `<link rel="alternate" type="application/${type.replace('+', '\\+')}"[^>]* href="([^"]+)"`,
    ).exec(text)![1]!
    assert.equal(href, `${base}/api/users/mira_pages/feed.${extension}`)
    assert.equal((await fetch(href)).status, 200)
  }
  const post = (await page(new URL(root.url).pathname)).text
  assert.ok(post.includes('<meta property="og:description" content="What a day for pages #pageday">'))
  const oembed = /type="application\/json\+oembed"[^>]* href="([^"]+)"/.exec(post)![1]!
  const answer = (await (await fetch(oembed.replaceAll('&amp;', '&'))).json()) as {
    type: string
    html: string
  }
  assert.equal(answer.type, 'rich')
  assert.ok(answer.html.includes('What a day for pages'))
})

test('the page of a post shows what it replies to and its replies', async () => {
  const { text } = await page(new URL(reply.url).pathname)
  const main = text.slice(text.indexOf('<main'))
  assert.ok(main.includes('What a day') && main.indexOf('What a day') < main.indexOf('Indeed'))
  assert.ok((await page(new URL(root.url).pathname)).text.includes('Indeed'))
  assert.equal((await page(`/@jonas_pages/${root.id}`)).status, 404)
})

test('lists on pages link to the next page, with the requested number of entries', async () => {
  const many = await publisher(system)
  for (let n = 0; n < 25; n++) await write(`entry ${n} #paging`, {}, many)
  const starts = [`/@${many.handle}`, '/tags/paging', '/search?q=entry&type=post']
  const small = [`/@${many.handle}?limit=6`, '/tags/paging?limit=6', '/search?q=entry&limit=6']
  for (const start of [...starts, ...small]) {
    const seen = new Set<string>()
    let pages = 0
    for (let path: string | undefined = start; path; ) {
      const { text, status } = await page(path)
      assert.equal(status, 200)
      pages++
      for (const [entry] of text.matchAll(/entry(?:<\/mark>)? \d+(?= <a)/g)) seen.add(entry)
      path = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    assert.equal(seen.size, 25, start)
    assert.equal(pages, small.includes(start) ? 5 : 2, start)
  }
})

test('errors of pages are pages with the request id; errors of the API are JSON', async () => {
  for (const [path, status] of [
    ['/@nobody_pages', 404],
    ['/@mira_pages/1000000000', 404],
    ['/@mira_pages/x', 404],
    ['/?cursor=x', 400],
    ['/@mira_pages?page=0', 422],
    ['/search?q=%00', 422],
  ] as const) {
    const answer = await page(path, publishing.with({ 'x-request-id': 'my-own-id' }))
    assert.equal(answer.status, status, path)
    assert.ok(answer.text.includes('my-own-id'))
    assert.match(answer.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
  }
  assert.equal((await page('/nowhere', publishing.with({ accept: 'text/html' }))).status, 404)
  assert.equal((await publishing('GET /nowhere')).body.success, false)
  const api = await publishing.with({ accept: 'text/html' })('GET /api/nowhere')
  assert.equal(api.body.success, false)
  const wrong = await publishing('PUT /@mira_pages')
  assert.equal(wrong.status, 405)
  assert.match(wrong.headers.get('allow')!, /GET/)
  const limitedSystem = await boot({ env: { RATE_LIMITS: 'on' }, database: { url: system.databaseUrl } })
  let last = await limitedSystem.publishing('GET /search?q=day')
  for (let n = 0; n < 100; n++) last = await limitedSystem.publishing('GET /search?q=day')
  assert.equal(last.status, 429)
  assert.match(last.headers.get('content-type')!, /html/)
  assert.ok(last.headers.get('retry-after'))
  assert.match(last.text, /Please wait \d+ (second|minute)s? and try again/)
})

test('pages of protected and suspended accounts hide their posts', async () => {
  const shy = await publisher(system)
  const secret = await write('a secret of pages', {}, shy)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  const profile = await page(`/@${shy.handle}`)
  assert.equal(profile.status, 200)
  assert.ok(profile.text.includes('protected') && !profile.text.includes('a secret of pages'))
  assert.ok(!profile.text.includes('feed.rss'))
  assert.equal((await page(new URL(secret.url).pathname)).status, 404)
  const own = await browserOf(publishing, shy.email)
  assert.ok((await page(`/@${shy.handle}`, own.browser)).text.includes('a secret of pages'))
  const thread = await page(new URL(secret.url).pathname, own.browser)
  assert.ok(thread.text.includes('a secret of pages'))
  assert.doesNotMatch(thread.text, /feed\.rss|\+oembed/, 'nothing leads where programs are refused')
  await system.sql`update publishing.users set is_admin = true where id = ${mira.user.id}`
  const node = await boot({ database: { url: system.databaseUrl } })
  const admin = node.publishing.bearer(mira.token)
  assert.equal((await admin(`POST /api/admin/users/${shy.handle}/suspend`)).status, 200)
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.equal((await page(`/@${shy.handle}`)).status, 403)
  assert.equal((await page('/keys', own.browser)).status, 403)
})

test('the session cookie works for pages only, and is HttpOnly and SameSite', async () => {
  const cookie = await signIn(publishing, mira.email)
  assert.match(cookie, /; HttpOnly; SameSite=Lax$/)
  assert.equal((await browser('GET /api/users/me')).status, 401)
  assert.equal((await browser('POST /api/posts', { body: { content: 'by cookie' } })).status, 401)
  assert.equal((await browser('GET /api/timeline/home')).status, 401)
  assert.equal((await mira.api('GET /keys')).status, 401)
  const secure = await boot({
    env: { PUBLISHING_URL: 'https://pages.example', PUBLISHING_PORT: String(await freePort()) },
    database: { url: system.databaseUrl },
  })
  const { headers } = await secure.publishing('POST /sign-in', form({ email: mira.email, password }))
  assert.match(headers.get('set-cookie')!, /; Secure$/)
})

test('a failed sign-in shows the form again, and a successful one redirects only to our own pages', async () => {
  const wrong = await publishing('POST /sign-in', form({ email: mira.email, password: 'wrong' }))
  assert.equal(wrong.status, 401)
  assert.ok(wrong.text.includes('Invalid email or password'))
  assert.ok(wrong.text.includes(mira.email) && !wrong.text.includes('value="wrong"'))
  assert.equal((await publishing('POST /sign-in', form({}))).status, 422)
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
  ])
    assert.equal(
      (await publishing('POST /sign-in', form({ email: mira.email, password, next }))).headers.get(
        'location',
      ),
      '/home',
      next,
    )
})

test('forms from other sites, without the form token or that are too large are refused', async () => {
  const fields = { content: 'forged', token }
  const before = (await mira.api('GET /api/users/me')).body.data.post_count
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[])
    assert.equal((await browser('POST /compose', form(fields, headers))).status, 403, JSON.stringify(headers))
  assert.equal((await browser('POST /compose', form({ content: 'forged' }))).status, 403)
  assert.equal((await browser('POST /compose', form({ content: 'forged', token: `${token}x` }))).status, 403)
  const other = await browserOf(publishing, jonas.email)
  assert.equal((await browser('POST /compose', form({ content: 'forged', token: other.token }))).status, 403)
  assert.equal((await publishing('POST /compose', form(fields))).status, 401)
  assert.equal((await browser('POST /compose', { body: fields })).status, 415)
  assert.equal((await browser('POST /compose', form({ ...fields, content: 'x'.repeat(20_000) }))).status, 413)
  assert.equal((await browser('POST /compose', form({ ...fields, content: 'a\0b' }))).status, 400)
  assert.equal((await mira.api('GET /api/users/me')).body.data.post_count, before)
  const own = form({ content: 'from our own page', token }, { origin: publishing.base })
  assert.equal((await browser('POST /compose', own)).status, 303)
})

test('pages can write, reply, quote, edit, like, repost and delete', async () => {
  const compose = async (fields: Record<string, string>) => {
    const { status, headers, text } = await browser('POST /compose', form({ ...fields, token }))
    assert.equal(status, 303, text)
    return headers.get('location')!
  }
  const path = await compose({ content: 'Written by **hand**', replySettings: 'mentioned' })
  const id = Number(path.split('/').at(-1))
  assert.match((await page(path)).text, /Written by <strong>hand<\/strong>/)
  assert.equal((await publishing(`GET /api/posts/${id}`)).body.data.reply_settings, 'mentioned')
  const replied = await compose({ content: 'an answer', reply: String(reply.id) })
  assert.equal(
    (await publishing(`GET /api/posts/${replied.split('/').at(-1)}`)).body.data.parent_id,
    reply.id,
  )
  await compose({ content: 'as they say', quote: String(reply.id) })
  await compose({ content: 'Written twice', edit: String(id) })
  assert.ok((await page(path)).text.includes('Written twice'))
  const long = await browser('POST /compose', form({ content: 'y'.repeat(281), token }))
  assert.equal(long.status, 422)
  assert.ok(long.text.includes('y'.repeat(281)) && long.text.includes('Post must have at most 280'))
  const act = (action: string, post: number) =>
    browser(`POST /posts/${post}`, form({ action, token, next: '/tags/x?cursor=y' }))
  for (const [action, field, count] of [
    ['like', 'like_count', 1],
    ['unlike', 'like_count', 0],
    ['repost', 'repost_count', 1],
    ['unrepost', 'repost_count', 0],
  ] as const) {
    const { status, headers } = await act(action, reply.id)
    assert.equal(status, 303)
    assert.equal(headers.get('location'), '/tags/x?cursor=y')
    assert.equal((await publishing(`GET /api/posts/${reply.id}`)).body.data[field], count)
  }
  assert.equal((await act('delete', reply.id)).status, 404)
  assert.equal((await act('explode', id)).status, 422)
  assert.equal((await act('delete', id)).status, 303)
  assert.equal((await page(path)).status, 404)
  const followed = await browser('POST /@jonas_pages', form({ action: 'follow', token }))
  assert.equal(followed.headers.get('location'), '/@jonas_pages')
  assert.ok((await page('/@jonas_pages', browser)).text.includes('Unfollow'))
  assert.ok((await page('/home', browser)).text.includes('Indeed'))
})

test('the settings page changes the profile', async () => {
  const fields = {
    username: 'Mira again',
    bio: 'two\r\nlines',
    location: '',
    website: 'https://example.com',
    token,
  }
  const saved = await browser('POST /settings', form({ ...fields, avatar_url: '', is_protected: 'yes' }))
  assert.equal(saved.status, 303)
  const { data } = (await mira.api('GET /api/users/me')).body
  assert.equal(data.username, 'Mira again')
  assert.equal(data.bio, 'two\nlines')
  assert.equal(data.website, 'https://example.com')
  assert.deepEqual([data.location, data.avatar_url, data.is_protected], [null, null, true])
  for (const bad of [{ website: 'javascript:alert(1)' }, { username: ' ' }, { bio: 'x'.repeat(501) }]) {
    const { status, text } = await browser('POST /settings', form({ ...fields, ...bad }))
    assert.equal(status, 422, JSON.stringify(bad))
    assert.ok(text.includes('value="https://example.com"') || 'website' in bad)
  }
  assert.equal((await browser('POST /settings', form({ ...fields }))).status, 303)
  assert.equal((await mira.api('GET /api/users/me')).body.data.is_protected, false)
})

test('API keys are created on their page, shown once, and revoked', async () => {
  const made = await browser('POST /keys', form({ name: 'From <a> page', daily_post_limit: '7', token }))
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  const key = /f9k_[0-9A-Za-z]{20,}/.exec(made.text)![0]
  assert.ok(!(await page('/keys', browser)).text.includes(key))
  const script = publishing.with({ 'x-api-key': key })
  assert.equal((await script('POST /api/posts', { body: { content: 'by key' } })).status, 201)
  assert.ok((await page('/keys', browser)).text.includes('1 of 7'))
  const { id } = (await mira.api('GET /api/developer/keys')).body.data.keys[0]
  assert.equal((await browser(`POST /keys/${id}/revoke`, form({ token }))).status, 303)
  assert.equal((await script('POST /api/posts', { body: { content: 'by key' } })).status, 401)
  for (const limit of ['0', '1001', 'x', '1.5'])
    assert.equal(
      (await browser('POST /keys', form({ name: 'k', daily_post_limit: limit, token }))).status,
      422,
    )
  assert.equal((await browser('POST /keys', form({ name: ' ', token }))).status, 422)
  const jonasBrowser = await browserOf(publishing, jonas.email)
  const foreign = form({ token: jonasBrowser.token })
  assert.equal((await jonasBrowser.browser(`POST /keys/${id}/revoke`, foreign)).status, 404)
})

test('an account is created on the sign-up page, and signing out ends the session', async () => {
  const fields = { email: 'new-page@example.com', password, handle: 'new_page', username: 'New' }
  const joined = await publishing('POST /sign-up', form(fields))
  assert.equal(joined.status, 303)
  const fresh = publishing.with({ cookie: joined.headers.get('set-cookie')!.split(';')[0]! })
  const { text } = await page('/keys', fresh)
  const own = /name="token" value="([^"]+)"/.exec(text)![1]!
  const short = await publishing('POST /sign-up', form({ ...fields, handle: 'x', password: 'short' }))
  assert.equal(short.status, 422)
  assert.match(short.text, /id="handle-problem">Handle must [\s\S]*id="password-problem">Password must /)
  const again = await publishing('POST /sign-up', form({ ...fields, handle: 'new_page2' }))
  assert.equal(again.status, 409)
  assert.ok(again.text.includes('new_page2'))
  assert.equal((await fresh('POST /sign-out', form({}))).status, 403)
  const out = await fresh('POST /sign-out', form({ token: own }))
  assert.match(out.headers.get('set-cookie')!, /Max-Age=0/)
  assert.equal((await page('/keys', fresh)).status, 401)
  const later = await browserOf(publishing, fields.email)
  system.clock.advance(31 * 86_400_000)
  assert.equal((await page('/keys', later.browser)).status, 401)
})

test('the search page has OpenGraph metadata, with and without a query', async () => {
  const empty = (await page('/search')).text
  assert.ok(empty.includes('<meta property="og:title" content="Search">'))
  const asked = (await page('/search?q=%22day%3C&type=post')).text
  assert.ok(asked.includes('<meta property="og:title" content="&quot;day&lt; · Search">'))
  assert.match(asked, /<meta property="og:url" content="[^"]+\/search\?q=%22day%3C&amp;type=post">/)
  assert.match(asked, /<meta property="og:description" content="[^"]+">/)
})

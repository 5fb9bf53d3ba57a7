import assert from 'node:assert/strict'
import { test } from 'node:test'
import RssParser from 'rss-parser'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { publisher } from '#test/support/factories.ts'
import { jsonRules, xmlRules } from './support/feed-rules.ts'
import { browserOf, form } from './support/forms.ts'
import { profileVectors, urlVectors, vectors } from './support/vectors.ts'

const system = await boot()
const { publishing } = system
const mallory = await publisher(system, { handle: 'mallory' })
const victim = await publisher(system, { handle: 'victim' })
const malloryBrowser = await browserOf(publishing, mallory.email)
const victimBrowser = await browserOf(publishing, victim.email)
const browser = await openBrowser()
// Without the policy, so that nothing but the escaping stands in the way.
const { page, troubles } = await openPage(browser, { bypassCSP: true })
await page.goto(`${publishing.base}/sign-in`)

/** What in a document should not be there. Runs in the browser, whose parser is the one that counts. */
const suspicious = `(text, isFragment, allowed = []) => {
  const parsed = new DOMParser().parseFromString(text, 'text/html')
  const found = []
  const known = ['http:', 'https:']
  for (const element of parsed.querySelectorAll('*')) {
    const name = element.localName
    if (['object', 'embed', 'math', 'video', 'marquee', 'template', 'noscript', 'iframe', 'source'].includes(name) && !allowed.includes(name)) found.push(name)
    if (isFragment && ['script', 'style', 'img', 'svg', 'link', 'meta', 'base', 'form', 'input'].includes(name)) found.push(name)
    if (name === 'base' && element.hasAttribute('href')) found.push('base')
    if (name === 'meta' && element.httpEquiv) found.push('refresh')
    const isData = name === 'script' && element.type === 'application/ld+json' && JSON.parse(element.textContent)['@context'] === 'https://schema.org'
    if (['script', 'style'].includes(name) && !isData && !/^[0-9a-f-]{36}$/.test(element.nonce || element.getAttribute('nonce') || '')) found.push(name)
    if (name === 'link' && element.rel === 'stylesheet') found.push('stylesheet')
    for (const { name: attribute, value } of element.attributes) {
      if (/^on|^style$|^srcdoc$/.test(attribute)) found.push(attribute)
      if (['href', 'src', 'action', 'data'].includes(attribute) && !value.startsWith('data:image/svg+xml,')) {
        const { protocol, host } = new URL(value, location.href)
        if (!known.includes(protocol) || (element.localName === 'form' && host !== location.host)) found.push(attribute + '=' + value)
      }
    }
  }
  return found
}`
const check = async (what: string, texts: string[], isFragment = false, allowed: string[] = []) => {
  const found = await page.evaluate(
    `${JSON.stringify(texts)}.flatMap((text) => (${suspicious})(text, ${isFragment}, ${JSON.stringify(allowed)}))`,
  )
  assert.deepEqual(found, [], what)
}
const read = async (path: string, client = publishing) => {
  const { status, text } = await client(`GET ${path}`)
  assert.equal(status, 200, `${path}: ${text}`)
  return text
}
const formats = ['rss', 'atom', 'json'] as const
/** A feed in all formats, by the rules of each. */
const validFeeds = async (path: string, query = '') => {
  const addresses = formats.map((format) => `${path}.${format}${query}`)
  const texts = await Promise.all(addresses.map((address) => read(address)))
  const asked = addresses.map((address) => publishing.base + address)
  const wrong = await page.evaluate(
    `[0, 1].flatMap((n) => (${xmlRules})(${JSON.stringify(texts)}[n], ${JSON.stringify(asked)}[n]))`,
  )
  assert.deepEqual(wrong, [], path)
  assert.deepEqual(jsonRules(texts[2]!, asked[2]!), [], path)
  return texts as [string, string, string]
}

test('the checks of this file find injected markup and invalid feeds', async () => {
  const bad = ['<img src=x onerror=alert(1)>', '<a href="javascript:alert(1)">x</a>', '<script>1</script>']
  for (const text of bad) await assert.rejects(check('bad', [text]))
  const feed = await read('/api/users/victim/feed.rss')
  const url = `${publishing.base}/api/users/victim/feed.rss`
  for (const [from, to, rule] of [
    [/<ttl>.*<\/ttl>/, '', 'exactly one channel/ttl'],
    [/, \d\d (?=.*<\/lastBuildDate)/, ', 32 ', 'lastBuildDate is RFC 822'],
    ['rel="self"', 'rel="via"', 'atom:link is self'],
    ['</channel>', '<item><description>&lt;a href="/x"&gt;</description></item></channel>', 'relative'],
    ['</title>', '', 'well-formed'],
  ] as const) {
    const changed = JSON.stringify(feed.replace(from, to))
    const wrong = (await page.evaluate(`(${xmlRules})(${changed}, ${JSON.stringify(url)})`)) as string[]
    assert.ok(
      wrong.some((each) => each.includes(rule)),
      `${rule}: ${wrong.join()}`,
    )
  }
})

const posted: { id: number; url: string }[] = []
test(`${vectors.length} XSS vectors in posts are harmless in pages, widgets, feeds and oEmbed`, async () => {
  assert.ok(vectors.length >= 200)
  const pages: string[] = []
  for (const [n, content] of vectors.entries()) {
    const { status, body, text } = await mallory.api('POST /api/posts', { body: { content } })
    assert.equal(status, 201, text)
    posted.push(body.data.post)
    if (n % 20 === 19) pages.push(await read('/widget/embed/mallory?count=20'))
  }
  const listed: string[] = []
  for (let path: string | undefined = '/?limit=100'; path; ) {
    const text = await read(path)
    listed.push(text)
    await page.goto(publishing.base + path)
    path = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.equal(listed.join('').split('<article').length - 1, vectors.length)
  for (const [n, { id, url }] of posted.entries()) {
    const own = new URL(url).pathname
    // The lists show posts just as the thread does.
    const lists = n % 8 === 0 ? [`${own}/likes`, `${own}/quotes`] : []
    pages.push(
      ...(await Promise.all([
        ...[own, `${own}/history`, ...lists].map((path) => read(path)),
        read(`/compose?edit=${id}`, malloryBrowser.browser),
      ])),
    )
  }
  pages.push(await read('/widget/embed/mallory?count=20'))
  await check('pages', [...listed, ...pages])
  const embeds: string[] = []
  for (const { url } of posted) {
    const { body } = await publishing(`GET /oembed?url=${encodeURIComponent(url)}`)
    embeds.push(body.html)
  }
  await check('oEmbed', embeds, true)
  assert.deepEqual(troubles, [])
})

test('feeds of posts with XSS vectors are valid for two parsers and by every rule, and their items are harmless', async () => {
  for (let n = 0; n < posted.length; n += 50) {
    for (const { id } of n === 0 ? [] : posted.splice(-50)) await mallory.api(`DELETE /api/posts/${id}`)
    const [rss, atom, json] = await validFeeds('/api/users/mallory/feed', '?count=50')
    const items = (await new RssParser().parseString(rss)).items
    assert.equal(items.length, Math.min(50, posted.length))
    // The browser's XML parser is the second one.
    const seen = (await page.evaluate(`${JSON.stringify([rss, atom])}.map((text) => {
      const parsed = new DOMParser().parseFromString(text, 'application/xml')
      return {
        error: parsed.querySelector('parsererror')?.textContent ?? null,
        links: [...parsed.querySelectorAll('item > guid, entry > id')].map((each) => each.textContent),
        bodies: [...parsed.querySelectorAll('item > description, entry > content')].map((each) => each.textContent),
      }
    })`)) as { error: string | null; links: string[]; bodies: string[] }[]
    for (const { error, links, bodies } of seen) {
      assert.equal(error, null)
      assert.deepEqual(
        links,
        items.map(({ guid }) => guid),
      )
      await check('feed', bodies, true)
    }
    const entries = JSON.parse(json).items as { content_html: string; url: string }[]
    assert.deepEqual(
      entries.map(({ url }) => url),
      items.map(({ link }) => link),
    )
    await check(
      'JSON feed',
      entries.map(({ content_html }) => content_html),
      true,
    )
  }
})

/** What accounts with hostile names meet: all lists of people, and the pages that only their owners see. */
const meetings = async () => {
  const keeper = await publisher(system)
  const blocker = await publisher(system)
  await keeper.api('PATCH /api/users/me', { body: { is_protected: true } })
  await mallory.api(`POST /api/users/${keeper.handle}/follow`)
  await keeper.api('POST /api/users/mallory/mute')
  await blocker.api('POST /api/users/mallory/block')
  await mallory.api('POST /api/users/victim/follow')
  await victim.api('POST /api/users/mallory/follow')
  const { body } = await victim.api('POST /api/posts', { body: { content: 'innocent #innocence' } })
  const { id } = body.data.post
  await mallory.api(`POST /api/posts/${id}/like`)
  await mallory.api(`POST /api/posts/${id}/repost`)
  const quote = { content: 'plain #innocence', type: 'quote', quoteOfId: id }
  const quoting = (await mallory.api('POST /api/posts', { body: quote })).body.data.post
  await mallory.api(`PATCH /api/posts/${quoting.id}`, { body: { content: 'plainer #innocence' } })
  const keepers = (await browserOf(publishing, keeper.email)).browser
  const blockers = (await browserOf(publishing, blocker.email)).browser
  // The others show people and their posts just as these do.
  const first = ['/@mallory', '/@victim/following', `/@mallory/${quoting.id}`, '/widget/embed/mallory']
  const others = [
    '/@mallory/followers',
    `/@victim/${id}/likes`,
    `/@victim/${id}/reposts`,
    `/@victim/${id}/quotes`,
    `/@mallory/${quoting.id}/history`,
    '/tags/innocence',
    '/search?q=mallory&type=user',
  ]
  return async (isEverywhere: boolean) =>
    Promise.all([
      ...first.map((path) => read(path)),
      read('/home', victimBrowser.browser),
      read('/settings', malloryBrowser.browser),
      ...(isEverywhere
        ? [
            ...others.map((path) => read(path)),
            read('/requests', keepers),
            read('/muted', keepers),
            read('/blocked', blockers),
            read('/@mallory', victimBrowser.browser),
            read(`/compose?reply=${quoting.id}`, victimBrowser.browser),
          ]
        : []),
    ])
}

const embedOfMallory = async () => {
  const { body } = await publishing(`GET /oembed?url=${encodeURIComponent(`${publishing.base}/@mallory`)}`)
  return body.html as string
}

test(`${profileVectors.length} XSS vectors in names, bios and locations, and ${urlVectors.length} in URLs, are harmless`, async () => {
  // Two posts with each name are enough; the lists of the page would have twenty.
  for (const { id } of posted.splice(2)) await mallory.api(`DELETE /api/posts/${id}`)
  const meet = await meetings()
  const pages: string[] = []
  const embeds: string[] = []
  for (const [n, text] of profileVectors.entries()) {
    const { status } = await mallory.api('PATCH /api/users/me', {
      body: { username: text, bio: text, location: text },
    })
    assert.equal(status, 200, text)
    pages.push(...(await meet(n % 4 === 0)))
    embeds.push(await embedOfMallory())
    if (n % 8 === 0) await page.goto(`${publishing.base}/@mallory`)
    const [rss] = await validFeeds('/api/users/mallory/feed')
    assert.ok((await new RssParser().parseString(rss)).title)
    if (n % 8 === 0) await validFeeds('/api/hashtags/innocence/feed')
  }
  let accepted = 0
  for (const url of urlVectors) {
    const { status } = await mallory.api('PATCH /api/users/me', {
      body: { website: url, avatar_url: url, banner_url: url },
    })
    assert.ok(status === 200 || status === 422, url)
    if (status !== 200) continue
    if (accepted++ % 8 === 0) pages.push(...(await meet(true)))
    const places = ['/', '/@mallory', '/@mallory/followers', '/@victim/following', '/widget/embed/mallory']
    pages.push(...(await Promise.all(places.map((path) => read(path)))))
    embeds.push(await embedOfMallory())
    await validFeeds('/api/users/mallory/feed')
  }
  assert.ok(accepted > 3, `${accepted} accepted`)
  await check('profiles', pages)
  await check('oEmbed of profiles', embeds, true, ['iframe'])
  assert.deepEqual(troubles, [])
})

test('XSS vectors in forms and URLs are shown harmlessly', async () => {
  const pages: string[] = []
  const sent = async (path: string, fields: Record<string, string>, { browser, token } = victimBrowser) =>
    pages.push((await browser(`POST ${path}`, form({ ...fields, token }))).text)
  for (const text of profileVectors.slice(0, 45)) {
    const encoded = encodeURIComponent(text)
    for (const type of ['post', 'user', 'hashtag'])
      pages.push((await publishing(`GET /search?q=${encoded}&type=${type}`)).text)
    pages.push(
      (await publishing(`GET /tags/${encodeURIComponent(text.replaceAll('/', ''))}`)).text,
      (await publishing(`GET /sign-in?next=${encoded}`)).text,
      (await publishing(`GET /keys?next=${encoded}`)).text,
      (await publishing(`GET /@${encoded.replaceAll('%2F', '')}`)).text,
      (await publishing(`GET /widget/embed/${encoded.replaceAll('%2F', '')}?theme=${encoded}`)).text,
    )
    await sent('/settings', { username: '', bio: text, location: text, website: text, avatar_url: text })
    await sent('/keys', { name: text, daily_post_limit: text })
    await sent('/compose', { content: `${text}${'y'.repeat(281)}` })
    await sent('/sign-up', { email: text, handle: text, username: text, password: '' })
    await sent('/sign-in', { email: text, password: '', next: text })
    await sent('/settings/delete', { password: text })
  }
  await check('echoes', pages)
  assert.deepEqual(troubles, [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import RssParser from 'rss-parser'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { openBrowser, openPage } from './support/browser.ts'
import { profileVectors, urlVectors, vectors } from './support/vectors.ts'

const system = await boot()
const { publishing } = system
const mallory = await publisher(system, { handle: 'mallory' })
const browser = await openBrowser()
// Without the policy, so that nothing but the escaping stands in the way.
const { page, troubles } = await openPage(browser, { bypassCSP: true })
await page.goto(`${publishing.base}/sign-in`)

/** What in a document should not be there. Runs in the browser, whose parser is the one that counts. */
const suspicious = `(text, isFragment) => {
  const parsed = new DOMParser().parseFromString(text, 'text/html')
  const found = []
  const known = ['http:', 'https:']
  for (const element of parsed.querySelectorAll('*')) {
    const name = element.localName
    if (['object', 'embed', 'math', 'video', 'marquee', 'template', 'noscript', 'iframe', 'source'].includes(name)) found.push(name)
    if (isFragment && ['script', 'style', 'img', 'svg', 'link', 'meta', 'base', 'form', 'input'].includes(name)) found.push(name)
    if (name === 'base' && element.hasAttribute('href')) found.push('base')
    if (name === 'meta' && element.httpEquiv) found.push('refresh')
    if (['script', 'style'].includes(name) && !/^[0-9a-f-]{36}$/.test(element.nonce || element.getAttribute('nonce') || '')) found.push(name)
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
const check = async (what: string, texts: string[], isFragment = false) => {
  const found = await page.evaluate(
    `${JSON.stringify(texts)}.flatMap((text) => (${suspicious})(text, ${isFragment}))`,
  )
  assert.deepEqual(found, [], what)
}
const read = async (path: string) => (await publishing(`GET ${path}`)).text

test('the check itself sees what it must', async () => {
  const bad = ['<img src=x onerror=alert(1)>', '<a href="javascript:alert(1)">x</a>', '<script>1</script>']
  for (const text of bad) await assert.rejects(check('bad', [text]))
})

const posted: { id: number; url: string }[] = []
test(`${vectors.length} vectors in posts come out harmless in pages, widgets, feeds and oEmbed`, async () => {
  assert.ok(vectors.length >= 200)
  for (const content of vectors) {
    const { status, body, text } = await mallory.api('POST /api/posts', { body: { content } })
    assert.equal(status, 201, text)
    posted.push(body.data.post)
  }
  const pages: string[] = []
  for (let path: string | undefined = '/?limit=100'; path; ) {
    const text = await read(path)
    pages.push(text)
    await page.goto(publishing.base + path)
    const next = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]
    path = next && `${next.replaceAll('&amp;', '&')}&limit=100`
  }
  assert.equal(pages.join('').split('<article').length - 1, vectors.length)
  for (const { url } of posted.filter((_, n) => n % 4 === 0)) pages.push(await read(new URL(url).pathname))
  pages.push(await read('/widget/embed/mallory?count=20'))
  await check('pages', pages)
  const embeds: string[] = []
  for (const { url } of posted) {
    const { body } = await publishing(`GET /oembed?url=${encodeURIComponent(url)}`)
    embeds.push(body.html)
  }
  await check('oEmbed', embeds, true)
  assert.deepEqual(troubles, [])
})

test('feeds with them are well-formed for two parsers, and their items harmless', async () => {
  for (let n = 0; n < posted.length; n += 50) {
    for (const { id } of n === 0 ? [] : posted.splice(-50)) await mallory.api(`DELETE /api/posts/${id}`)
    const [rss, atom, json] = await Promise.all(
      ['rss', 'atom', 'json'].map((format) => read(`/api/users/mallory/feed.${format}?count=50`)),
    )
    const items = (await new RssParser().parseString(rss!)).items
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
    const entries = JSON.parse(json!).items as { content_html: string; url: string }[]
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

test(`${profileVectors.length} names, bios and places, and ${urlVectors.length} addresses`, async () => {
  await mallory.api('POST /api/posts', { body: { content: 'plain' } })
  const pages: string[] = []
  for (const [n, text] of profileVectors.entries()) {
    const { status } = await mallory.api('PATCH /api/users/me', {
      body: { username: text, bio: text, location: text },
    })
    assert.equal(status, 200, text)
    pages.push(await read('/@mallory'), await read('/widget/embed/mallory'))
    if (n % 8 === 0) await page.goto(`${publishing.base}/@mallory`)
    const feed = await read('/api/users/mallory/feed.rss')
    assert.ok((await new RssParser().parseString(feed)).title)
    assert.equal(
      await page.evaluate(
        `new DOMParser().parseFromString(${JSON.stringify(feed)}, 'application/xml').querySelector('parsererror')`,
      ),
      null,
    )
  }
  let accepted = 0
  for (const url of urlVectors) {
    const { status } = await mallory.api('PATCH /api/users/me', {
      body: { website: url, avatar_url: url, banner_url: url },
    })
    assert.ok(status === 200 || status === 422, url)
    if (status !== 200) continue
    accepted++
    pages.push(await read('/@mallory'), await read('/widget/embed/mallory'), await read('/'))
  }
  assert.ok(accepted > 3, `${accepted} accepted`)
  for (const text of profileVectors.slice(0, 45))
    pages.push(
      await read(`/search?q=${encodeURIComponent(text)}`),
      await read(`/tags/${encodeURIComponent(text.replaceAll('/', ''))}`),
      await read(`/sign-in?next=${encodeURIComponent(text)}`),
    )
  await check('profiles', pages)
  assert.deepEqual(troubles, [])
})

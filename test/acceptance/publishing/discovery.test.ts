import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlags } from '#publishing/admin/flags.ts'
import { publishing as service } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_maps', username: 'Mira <3' })
const shy = await publisher(system, { handle: 'shy_maps' })
await publisher(system, { handle: 'bad_maps' })

const locations = async (path = '/sitemap.xml') => {
  const { status, text, headers } = await publishing(`GET ${path}`)
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^application\/xml/)
  assert.match(headers.get('cache-control')!, /public, max-age=/)
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!.replaceAll('&amp;', '&'))
}

test('the sitemap lists public profiles, and drops one as soon as it is protected or suspended', async () => {
  const all = ['/', '/@mira_maps', '/@shy_maps', '/@bad_maps'].map((path) => publishing.base + path)
  assert.deepEqual(await locations(), all)
  await shy.api('PATCH /api/users/me', { body: { is_protected: true } })
  await setFlags(service.context(system.platform), 'bad_maps', { is_suspended: true })
  assert.deepEqual(await locations(), all.slice(0, 2))
  assert.equal((await publishing('GET /sitemap.xml?after=x')).status, 422)
})

test('a sitemap of many accounts is an index of pages that list each of them once', async () => {
  await system.sql`
    insert into publishing.users (email, handle, username, password_hash, created_at)
    select 'many' || n || '@example.com', 'many_' || n, 'Many', '', now() from generate_series(1, 10500) n`
  const other = await boot({ database: { url: system.databaseUrl } })
  const read = async (path: string) => (await other.publishing(`GET ${path}`)).text
  const index = await read('/sitemap.xml')
  assert.match(index, /<sitemapindex/)
  const pages = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) =>
    url!.slice(other.publishing.base.length),
  )
  assert.equal(pages.length, 2)
  const listed = (await Promise.all(pages.map(read))).flatMap((text) => [...text.matchAll(/\/@(\w+)</g)])
  assert.equal(listed.length, 10_501)
  assert.equal(new Set(listed.map(([, handle]) => handle)).size, 10_501)
})

test('pages lead to an OpenSearch description, whose addresses work', async () => {
  const page = (await publishing('GET /')).text
  assert.match(
    page,
    /<link rel="search" type="application\/opensearchdescription\+xml"[^>]* href="\/opensearch.xml">/,
  )
  const { text, headers } = await publishing('GET /opensearch.xml')
  assert.match(headers.get('content-type')!, /^application\/opensearchdescription\+xml/)
  const templates = [...text.matchAll(/template="([^"]+\{searchTerms\}[^"]*)"/g)].map(([, url]) => url!)
  assert.equal(templates.length, 3)
  for (const template of templates) {
    const address = template
      .replaceAll('&amp;', '&')
      .replace('{searchTerms}', 'tide')
      .replace('{startPage?}', '1')
    assert.equal((await publishing(`GET ${address.slice(publishing.base.length)}`)).status, 200, address)
  }
})

test('WebFinger knows accounts by their address and by their page', async () => {
  const { host } = new URL(publishing.base)
  const ask = (resource: string) =>
    publishing(`GET /.well-known/webfinger?resource=${encodeURIComponent(resource)}`)
  for (const resource of [`acct:Mira_Maps@${host}`, `${publishing.base}/@mira_maps`]) {
    const { status, headers, text } = await ask(resource)
    assert.equal(status, 200, resource)
    assert.match(headers.get('content-type')!, /^application\/jrd\+json/)
    const found = JSON.parse(text)
    assert.equal(found.subject, `acct:mira_maps@${host}`)
    assert.deepEqual(found.aliases, [`${publishing.base}/@mira_maps`])
  }
  for (const resource of [
    `acct:nobody_maps@${host}`,
    'acct:mira_maps@elsewhere.example',
    'https://elsewhere.example/',
  ])
    assert.equal((await ask(resource)).status, 404, resource)
  assert.equal((await ask('mira')).status, 400)
  assert.equal((await ask(`acct:bad_maps@${host}`)).status, 403)
  assert.equal((await publishing('GET /.well-known/webfinger')).status, 422)
})

test('profiles and posts describe themselves in JSON-LD and OpenGraph', async () => {
  const post = await writePost(mira, 'Low tide </script><b> #tides')
  const dataOf = async (path: string) => {
    const { text } = await publishing(`GET ${path}`)
    return { text, data: JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)![1]!) }
  }
  const profile = await dataOf('/@mira_maps')
  assert.equal(profile.data['@type'], 'ProfilePage')
  assert.equal(profile.data.mainEntity.name, 'Mira <3')
  const { text, data } = await dataOf(`/@mira_maps/${post.id}`)
  assert.equal(data['@type'], 'SocialMediaPosting')
  assert.equal(data.articleBody, 'Low tide </script><b> #tides')
  assert.equal(data.datePublished, post.created_at)
  const property = (name: string) => new RegExp(`<meta property="${name}" content="([^"]*)">`).exec(text)?.[1]
  assert.equal(property('article:published_time'), post.created_at)
  assert.equal(property('article:tag'), 'tides')
  assert.equal(property('og:locale'), 'en_US')
  assert.equal(property('og:image'), undefined)
})

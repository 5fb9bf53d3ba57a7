import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { browserOf } from './support/forms.ts'

const system = await boot({ env: { INSTANCE_LANGUAGE: 'nl' } })
const { publishing } = system

type Writer = Awaited<ReturnType<typeof publisher>>
const set = ({ api }: Writer, language: unknown) => api('PATCH /api/users/me', { body: { language } })
const langOf = (page: string, text: string) => new RegExp(`lang="([^"]+)">(?:<p>)?${text}`).exec(page)?.[1]

test('posts are in the language of their author, or else of the instance', async () => {
  const [german, plain] = [await publisher(system), await publisher(system)]
  const before = await writePost(german, 'Moin')
  assert.equal(before.language, 'nl')
  assert.deepEqual((await set(german, 'DE')).body.data.language, 'de')
  const { id } = await writePost(german, 'Servus')
  await writePost(plain, 'Zitat', { type: 'quote', quoteOfId: id })
  await plain.api(`POST /api/posts/${id}/repost`)

  const languageOf = async (post: number) => (await publishing(`GET /api/posts/${post}`)).body.data.language
  assert.deepEqual([await languageOf(before.id), await languageOf(id)], ['de', 'de'])
  assert.equal((await publishing(`GET /api/users/${german.handle}`)).body.data.language, 'de')
  assert.equal((await publishing(`GET /api/users/${plain.handle}`)).body.data.language, null)

  const page = (await publishing(`GET /@${plain.handle}`)).text
  assert.equal(langOf(page, 'Zitat'), 'nl')
  assert.equal(langOf(page, 'Servus'), 'de', 'the quoted post, and the repost')
  assert.match(page, /<html lang="en"/)

  const feed = (who: Writer, format: string) =>
    publishing(`GET /api/users/${who.handle}/feed.${format}?include=reposts`).then(({ text }) => text)
  assert.match(await feed(german, 'rss'), /<language>de<\/language>/)
  assert.ok(!(await feed(german, 'rss')).includes('dc:language'))
  assert.match(await feed(german, 'atom'), /<feed [^>]*xml:lang="de"/)
  assert.equal(JSON.parse(await feed(german, 'json')).language, 'de')
  assert.match(await feed(plain, 'rss'), /<language>nl<\/language>.*<dc:language>de<\/dc:language>/s)
  assert.match(await feed(plain, 'atom'), /xml:lang="nl".*<entry xml:lang="de">/s)
  const items = JSON.parse(await feed(plain, 'json')).items as { language?: string }[]
  assert.deepEqual(
    items.map(({ language }) => language),
    ['de', undefined],
  )
})

test('a change of the language changes the feed', async () => {
  const writer = await publisher(system)
  await writePost(writer, 'x')
  const feed = `GET /api/users/${writer.handle}/feed.rss`
  const etag = (await publishing(feed)).headers.get('etag')!
  const again = () => publishing(feed, { headers: { 'if-none-match': etag } })
  assert.equal((await again()).status, 304)
  await set(writer, 'pt-br')
  const changed = await again()
  assert.equal(changed.status, 200)
  assert.match(changed.text, /<language>pt-BR<\/language>/)
  await set(writer, null)
  assert.match((await publishing(feed)).text, /<language>nl<\/language>/)
})

test('what is no language is refused and changes nothing', async () => {
  const writer = await publisher(system)
  await set(writer, 'ja')
  const bad = [
    '', 'x', 'xx', 'deutsch', 'de_DE', 'de-DE-1996', 'de-u-co-phonebk', 'x-klingon', 'en"onclick', 'd\0', 7, {},
    'a'.repeat(40), 'und',
  ] // biome-ignore format: one list
  for (const language of bad) assert.equal((await set(writer, language)).status, 422, String(language))
  assert.equal((await writer.api('GET /api/users/me')).body.data.language, 'ja')
  for (const [given, kept] of [
    ['iw', 'he'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['fil', 'fil'],
  ])
    assert.equal((await set(writer, given)).body.data.language, kept)
})

test('on the pages, the language is chosen from a list', async () => {
  const writer = await publisher(system)
  await set(writer, 'es-419')
  const { browser, send } = await browserOf(publishing, writer.email)
  const page = (await browser('GET /settings/account')).text
  assert.match(page, /<option value="">Dutch, as on this server</)
  assert.match(page, /<option value="es-419" selected>Latin American Spanish</)
  assert.ok(page.includes('<option value="de">German<'))
  const offered = [...page.matchAll(/<option value="[^"]+"[^>]*>([^<]+)</g)].map(([, name]) => name)
  assert.equal(new Set(offered).size, offered.length, 'each language is there once')
  const saved = await send('/settings/account', { language: 'de' })
  assert.equal(saved.status, 303)
  assert.match((await browser('GET /settings/account')).text, /<option value="de" selected>/)
  assert.equal((await send('/settings/account', { language: 'xx' })).status, 422)
  await send('/settings/account', { language: '' })
  assert.equal((await writer.api('GET /api/users/me')).body.data.language, null)
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import RssParser from 'rss-parser'
import { boot } from '#test/support/boot.ts'
import { debianProgram, debianPython } from '#test/support/debian.ts'
import { addressesOf, feeds, fill } from './content.ts'
import { jsonFeedSchema } from './json-feed.ts'

const system = await boot({ env: { PUBLISHING_WEBSUB_HUB: 'https://hub.example/' } })
const { publishing } = system
await fill(system)

const read = async (path: string) => {
  const { status, text } = await publishing(`GET ${path}`)
  assert.equal(status, 200, path)
  return text
}
const xml = feeds.flatMap((path) => ['rss', 'atom'].flatMap((format) => addressesOf(path, format)))
const json = feeds.flatMap((path) => addressesOf(path, 'json'))

/** What a program says about a text. */
const ask = (program: string, args: string[], input: string) =>
  new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args)
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(String(data)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: output.join('') }))
    child.stdin.end(input)
  })

const installing = { timeout: 330_000 }

test('xmllint finds every XML document well-formed', installing, async () => {
  const xmllint = await debianProgram('xmllint', 'libxml2-utils')
  const others = ['/sitemap.xml', '/opensearch.xml', `/oembed?format=xml&url=${publishing.base}/@mallory`]
  for (const path of [...xml, ...others])
    assert.deepEqual(await ask(xmllint, ['--noout', '-'], await read(path)), { code: 0, output: '' }, path)
  assert.equal((await ask(xmllint, ['--noout', '-'], '<a>')).code, 1)
})

const feedparser = `
import feedparser, json, sys
feedparser.RESOLVE_RELATIVE_URIS = 0
def facts(feed): return {
  'bozo': str(feed.get('bozo_exception', '')),
  'version': feed.version,
  'title': feed.feed.get('title', ''),
  'entries': [[e.get('link', ''), bool(e.get('published_parsed')), e.get('author', '')] for e in feed.entries],
}
print(json.dumps([facts(feedparser.parse(text.encode())) for text in json.load(sys.stdin)]))`

type Parsed = { bozo: string; version: string; title: string; entries: [string, boolean, string][] }

test(
  'feedparser reads every feed without complaint, each entry with its link, date and author',
  installing,
  async () => {
    const python = await debianPython('feedparser', 'python3-feedparser')
    const texts = await Promise.all(xml.map(read))
    const { output } = await ask(python, ['-c', feedparser], JSON.stringify(texts))
    for (const [n, { bozo, version, title, entries }] of (JSON.parse(output) as Parsed[]).entries()) {
      const path = xml[n]!
      assert.equal(bozo, '', path)
      assert.equal(version, path.includes('.rss') ? 'rss20' : 'atom10')
      assert.notEqual(title.trim(), '', path)
      for (const [link, isDated, author] of entries) {
        assert.ok(link.startsWith(`${publishing.base}/@`), link)
        assert.ok(isDated, path)
        assert.notEqual(author.trim(), '', path)
      }
    }
  },
)

test('rss-parser reads every feed, and every entry has a title that can be seen', async () => {
  for (const path of xml)
    for (const { title, link, isoDate } of (await new RssParser().parseString(await read(path))).items) {
      assert.match(title!, /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u, path)
      assert.ok(URL.canParse(link!) && isoDate, path)
    }
})

test('every JSON feed is valid by the schema of JSON Feed 1.1', async () => {
  const validate = new Ajv2020({
    allErrors: true,
    formats: {
      // RFC 3986, which allows fewer characters than browsers do.
      uri: (text: string) =>
        URL.canParse(text) && /^(?:[\w\-.~:/?#@!$&'()*+,;=[\]]|%[\da-f]{2})+$/i.test(text),
      'date-time': (text: string) => new Date(text).toISOString() === text,
    },
  }).compile(jsonFeedSchema)
  for (const path of json)
    assert.ok(validate(JSON.parse(await read(path))), `${path} ${JSON.stringify(validate.errors)}`)
})

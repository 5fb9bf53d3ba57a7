import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { publisher } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'
import { writePost } from '#test/support/publishing.ts'

const system = await boot()
const { publishing } = system
const operator = operatorOf(system)
const folder = await mkdtemp(join(tmpdir(), 'trivet-instance-'))
after(() => rm(folder, { recursive: true, force: true }))
const mira = await publisher(system, { handle: 'mira_instance' })
await writePost(mira, 'Good morning')

const fileOf = async (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const page = async (path: string) => {
  const answer = await publishing(`GET ${path}`)
  assert.equal(answer.status, 200, path)
  return answer.text
}
const set = async (...args: string[]) => {
  const { code, text } = await operator('publishing', 'instance', 'set', ...args)
  assert.equal(code, 0, text)
}

test('an instance without settings is called Trivet, and has an about page but no legal pages', async () => {
  assert.match(await page('/'), /<title>Explore · Trivet<\/title>/)
  assert.match(await page('/about'), /<h1><bdi>About Trivet<\/bdi><\/h1>/)
  for (const path of ['/rules', '/privacy', '/imprint'])
    assert.equal((await publishing(`GET ${path}`)).status, 404, path)
  const moved = await fetch(`${publishing.base}/explore`, { redirect: 'manual' })
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/'])
})

test('the operator names the instance, and everything that shows it follows within a second', async () => {
  // All of these are kept by then.
  for (const path of ['/feed.rss', '/api/users/mira_instance/feed.json', '/widget/embed/mira_instance'])
    await page(path)
  await set('--name', 'Harbour <Notes>', '--description', 'Notes from the harbour.', '--language', 'de')
  await eventually(async () => assert.match(await page('/'), /Explore · Harbour &lt;Notes&gt;<\/title>/))
  const home = await page('/')
  assert.match(home, /<meta property="og:site_name" content="Harbour &lt;Notes&gt;">/)
  assert.match(home, /<meta property="og:locale" content="de_DE">/)
  assert.doesNotMatch(home.replaceAll(/<(script|style).*?<\/\1>/gs, ''), /Trivet/)
  const rss = await page('/feed.rss')
  assert.ok(rss.includes('<title>Explore · Harbour &#x3C;Notes&#x3E;</title>'))
  assert.ok(rss.includes('<language>de</language>'))
  assert.equal(JSON.parse(await page('/api/users/mira_instance/feed.json')).language, 'de')
  assert.match(await page('/widget/embed/mira_instance'), /More on Harbour &lt;Notes&gt;/)
  assert.match(await page('/opensearch.xml'), /<ShortName>Harbour &lt;Notes&gt;<\/ShortName>/)
  const manifest = JSON.parse(await page('/manifest.webmanifest'))
  assert.deepEqual([manifest.name, manifest.lang], ['Harbour <Notes>', 'de'])
  const url = encodeURIComponent(`${publishing.base}/@mira_instance`)
  assert.equal(JSON.parse(await page(`/oembed?url=${url}`)).provider_name, 'Harbour <Notes>')
  const { links } = JSON.parse(await page('/.well-known/nodeinfo'))
  const nodeInfo = JSON.parse(await page(new URL(links[0].href).pathname))
  assert.deepEqual(nodeInfo.metadata, {
    nodeName: 'Harbour <Notes>',
    nodeDescription: 'Notes from the harbour.',
  })
})

test('rules, privacy policy and imprint are pages, linked at the foot of every page, without markup of their own', async () => {
  const rules = await fileOf('rules.md', '# Be kind\n\n<script>alert(1)</script> [bad](javascript:alert(1))')
  const imprint = await fileOf('imprint.md', 'Harbour Ltd., 1 Quay')
  await set('--rules', rules, '--imprint', imprint, '--contact', 'hello@harbour.example')
  await eventually(async () => assert.match(await page('/'), /<a href="\/rules">Rules<\/a>/))
  assert.match(await page('/'), /<a href="\/imprint">Imprint<\/a>/)
  assert.doesNotMatch(await page('/'), /href="\/privacy"/)
  const text = await page('/rules')
  assert.match(text, /<h1>Be kind<\/h1>/)
  assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
  assert.doesNotMatch(text, /href="javascript:/)
  assert.match(
    await page('/about'),
    /<a href="mailto:hello@harbour.example" rel="me">hello@harbour.example<\/a>/,
  )
  const { body } = await publishing('GET /api/instance')
  assert.equal(body.data.instance.contact, 'mailto:hello@harbour.example')
  assert.deepEqual(
    body.data.instance.pages.map(({ title }: { title: string }) => title),
    ['Rules', 'Imprint'],
  )
})

test('a logo is scaled to a PNG of its own address, and a colour becomes legible on light and dark pages', async () => {
  const picture = sharp({ create: { width: 1600, height: 400, channels: 3, background: '#ffcc00' } })
  const logo = await fileOf('logo.webp', await picture.webp().toBuffer())
  await set('--logo', logo, '--color', '#FFCC00')
  await eventually(async () => assert.match(await page('/'), /<img class="mark" src="\/logo\//))
  const [, path] = /<img class="mark" src="([^"]+)"/.exec(await page('/'))!
  const shown = await fetch(publishing.base + path)
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png'])
  const { width, height, format } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata()
  assert.deepEqual([width, height, format], [512, 128, 'png'])
  assert.match(await page('/'), new RegExp(`og:image" content="${publishing.base}${path}"`))
  assert.equal((await publishing('GET /logo/AAAAAAAAAAAA.png')).status, 404)
  const [, light, dark] = /--accent:light-dark\((#\w+),(#\w+)\)/.exec(
    (await page('/')).split('[data-service]{')[1]!,
  )!
  assert.notEqual(light, '#ffcc00')
  assert.equal(dark, '#ffcc00')
})

test('what is no name, colour, language, picture or text is refused and changes nothing', async () => {
  const before = (await publishing('GET /api/instance')).body
  for (const [args, message] of [
    [['--name', ''], /--name must be one line|argument missing/],
    [['--name', 'x'.repeat(61)], /--name must be one line of 1 to 60 characters/],
    [['--color', 'red'], /--color must be a colour such as/],
    [['--language', 'not a language'], /--language must be a language/],
    [['--contact', 'nobody'], /--contact must be an email address/],
    [['--logo', await fileOf('none.png', 'no picture')], /is not a picture/],
    [['--rules', join(folder, 'missing.md')], /cannot be read \(ENOENT\)/],
    [
      ['--rules', await fileOf('long.md', 'x'.repeat(65_537))],
      /has 65537 bytes, where at most 65536 are allowed/,
    ],
    [[], /Nothing to set/],
  ] as const) {
    const { code, text } = await operator('publishing', 'instance', 'set', ...args)
    assert.notEqual(code, 0, text)
    assert.match(text, message)
  }
  assert.deepEqual((await publishing('GET /api/instance')).body.data, before.data)
})

test('the environment stands above what was stored, and says so', async () => {
  const env = { INSTANCE_NAME: 'From outside' }
  const other = await boot({ database: { url: system.databaseUrl }, env })
  assert.match((await other.publishing('GET /')).text, /<title>Explore · From outside<\/title>/)
  const refused = await operatorOf(system, env)('publishing', 'instance', 'set', '--name', 'Other')
  assert.match(refused.text, /name is set by INSTANCE_NAME/)
})

test('settings can be taken back', async () => {
  const { code, text } = await operator(
    'publishing',
    'instance',
    'unset',
    '--setting',
    'name',
    'rules',
    'logo',
  )
  assert.equal(code, 0, text)
  await eventually(async () => assert.match(await page('/'), /<title>Explore · Trivet<\/title>/))
  assert.equal((await publishing('GET /rules')).status, 404)
})

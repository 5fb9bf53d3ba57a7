import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlValidate } from 'html-validate'
import { mf2 } from 'microformats-parser'
import { unfurl } from 'unfurl.js'
import { browserOf } from '#test/acceptance/publishing/support/forms.ts'
import { boot } from '#test/support/boot.ts'
import { fill } from './content.ts'

const system = await boot()
const { publishing } = system
const { mallory, last } = await fill(system)
const post = `/@mallory/${last}`

const visitors = [
  ...['/', '/@mira', '/@mallory', '/@quiet_ana', post, `${post}/likes`, `${post}/quotes`, `${post}/history`],
  ...[
    '/@mira/followers',
    '/tags/tides',
    '/search',
    '/search?q=a',
    '/search?q=a&type=user',
    '/search?q=%3Cb%3E',
  ],
  ...['/sign-in', '/sign-up', '/forgot-password', '/nowhere', '/@nobody_here'],
  ...['/widget/embed/mira', '/widget/embed/mallory', '/widget/embed/nobody_here'],
]
const members = [
  '/home',
  '/compose',
  `/compose?reply=${last}`,
  '/settings',
  '/keys',
  '/requests',
  '/blocked',
  post,
]

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // Matters of taste: a lower-case doctype, buttons that submit without saying so, long titles.
    'doctype-style': 'off',
    'no-implicit-button-type': 'off',
    'long-title': 'off',
  },
})

const problems = async (path: string, read: typeof publishing) => {
  const { text } = await read(`GET ${path}`, { headers: { accept: 'text/html' } })
  const { results } = await validator.validateString(text, path)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${path} ${line}:${column} ${ruleId}: ${message}`),
  )
}

test('html-validate reports markup that is wrong', async () => {
  const { results } = await validator.validateString(
    '<!doctype html><p><div></p><a href="x"><b id="a" id="a">',
  )
  assert.ok((results[0]?.messages.length ?? 0) > 3)
})

test('html-validate finds nothing wrong with pages for visitors', async () => {
  const found = await Promise.all(visitors.map((path) => problems(path, publishing)))
  assert.deepEqual(found.flat(), [])
})

test('html-validate finds nothing wrong with pages for members', async () => {
  const { browser } = await browserOf(publishing, mallory.email)
  const found = await Promise.all(members.map((path) => problems(path, browser as typeof publishing)))
  assert.deepEqual(found.flat(), [])
})

test('microformats-parser reads a profile as an h-card and its posts as h-entries', async () => {
  const parse = async (path: string) =>
    mf2((await publishing(`GET ${path}`)).text, { baseUrl: publishing.base }).items
  const items = await parse('/@mira')
  const card = items.find(({ type }) => type?.includes('h-card'))
  assert.deepEqual(card?.properties.uid, [`${publishing.base}/@mira`])
  assert.equal(card?.properties.name?.length, 1)
  const entries = items.filter(({ type }) => type?.includes('h-entry'))
  assert.ok(entries.length > 3)
  for (const { properties } of [...entries, ...(await parse(post))]) {
    assert.match(String(properties.url?.[0]), /\/@\w+\/\d+$/)
    assert.ok(!Number.isNaN(Date.parse(String(properties.published?.[0]))))
    assert.equal(properties.author?.length, 1)
    assert.equal(properties.content?.length, 1)
  }
})

test('unfurl reads the preview and the oEmbed data of profiles and posts', async () => {
  for (const path of ['/@mira', '/@mallory', post]) {
    const found = await unfurl(publishing.base + path)
    assert.equal(found.canonical_url, publishing.base + path)
    assert.ok(found.open_graph?.title && found.open_graph.url === publishing.base + path)
    assert.equal(found.oEmbed?.version, '1.0')
    assert.equal(found.oEmbed?.type, 'rich')
    assert.doesNotMatch(found.description ?? '', /\p{Noncharacter_Code_Point}|[\u0000-\u0008\u000b-\u001f]/u)
  }
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath, putObject } from '#test/support/storage.ts'
import { assertQuiet, openAs, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { picture, tone } from './support/samples.ts'

const service = await startConsole()
const owner = await storageOwner(service.system)
const { api } = owner
const { page, troubles } = await openAs(service, owner.email)
const id = await createBucket(api, 'panel')

const put = (key: string, raw: string | Buffer, type: string, more: Record<string, string> = {}) =>
  putObject(api, objectPath(id, encodeURIComponent(key)), raw, { 'content-type': type, ...more })
const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)
/** Opens an object at its own address. */
const open = async (key: string) => {
  await page.goto(service.address(`/buckets/${id}?object=${encodeURIComponent(key)}`))
  const panel = page.getByRole('dialog', { name: nameOf(key), exact: true })
  await panel.getByRole('heading', { name: 'Details' }).waitFor()
  return panel
}
/** Not by `waitForFunction`, which the content security policy stops. */
const until = (condition: string) =>
  eventually(async () => assert.ok(await page.evaluate<boolean>(condition), condition))
const isRun = () => page.evaluate<boolean>('"ran" in window || document.title.includes("ran")')

test('an image is shown, with its size, type, metadata and checksums', async () => {
  const image = picture()
  const sha256 = createHash('sha256').update(image)
  const digest = sha256.copy().digest('base64')
  await put('photos/sea.png', image, 'image/png', {
    'x-meta-camera': 'north-pier',
    'content-digest': `sha-256=:${digest}:`,
  })
  const panel = await open('photos/sea.png')
  const shown = panel.getByRole('img', { name: 'sea.png' })
  await shown.waitFor()
  await until('document.querySelector(".preview img")?.naturalWidth === 320')
  for (const text of ['image/png', 'camera', 'north-pier', createHash('md5').update(image).digest('hex')])
    await panel.getByText(text).first().waitFor()
  await panel.getByText(sha256.digest('hex').slice(-12)).first().waitFor()
  await inspect(page, 'object-image')
})

test('text, JSON, Markdown and sound are shown', async () => {
  await put('notes.txt', `first line\n${'x'.repeat(300 * 1024)}`, 'text/plain')
  const text = await open('notes.txt')
  await text.getByText('first line').waitFor()
  await text.getByText('The first 256 KiB of it').waitFor()
  await put('data.json', '{"boats":[1,2]}', 'application/json')
  assert.match(await (await open('data.json')).locator('pre').innerText(), /"boats": \[\n {4}1,/)
  const words = '# Title\n\nSome *words* and a [link](https://example.com)\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  await put('read.me', words, 'text/markdown')
  const markdown = await open('read.me')
  await markdown.getByRole('heading', { name: 'Title' }).waitFor()
  await eventually(async () =>
    assert.equal(
      await markdown.getByRole('link', { name: 'link' }).getAttribute('href'),
      'https://example.com',
    ),
  )
  await inspect(page, 'object-markdown')
  await put('tone.wav', tone(), 'audio/wav')
  await open('tone.wav')
  await until('document.querySelector("audio")?.readyState >= 1')
})

test('a PDF is shown by the viewer of the browser, or offered for download', async () => {
  await put(
    'paper.pdf',
    '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>',
    'application/pdf',
  )
  const panel = await open('paper.pdf')
  const hasViewer = await page.evaluate<boolean>('navigator.pdfViewerEnabled')
  if (hasViewer) await panel.locator('iframe').waitFor()
  else await panel.getByText('This browser shows no PDF').waitFor()
})

test('no stored page, image or text runs script in the console', async () => {
  const script = 'window.ran = true; document.title = "ran"; parent.ran = true; top.ran = true'
  await put('page.html', `<script>${script}</script><img src=x onerror="${script}">`, 'text/html')
  await put(
    'image.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${script}</script></svg>`,
    'image/svg+xml',
  )
  await put(
    'evil.md',
    `<img src=x onerror="${script}">\n[x](javascript:top.ran=1) ![y](https://evil.example/y.png)`,
    'text/markdown',
  )
  await put('not-an-image.png', `<script>${script}</script>`, 'image/png')
  await put('lying.pdf', `<script>${script}</script>`, 'application/pdf')
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  assert.match(await (await open('page.html')).locator('pre').innerText(), /<script>window\.ran/)
  await (await open('image.svg')).getByRole('img', { name: 'image.svg' }).waitFor()
  await (await open('evil.md')).getByText('onerror').waitFor()
  await (await open('not-an-image.png')).getByText('This is not an image').waitFor()
  await open('lying.pdf')
  assert.equal(await isRun(), false)
  // The viewer of PDF is a part of the browser.
  const isOwn = (url: string) =>
    /^(?:data|blob|chrome|chrome-extension):/.test(url) || url.startsWith(service.root)
  const foreign = requests.filter((url) => !isOwn(url))
  assert.deepEqual(foreign, [])
})

test('hostile names are shown as they are, and their objects can be opened, renamed and deleted', async () => {
  const names = [
    '<img src=x onerror=alert(1)>.txt',
    '"><svg onload=alert(1)>',
    '\u202egnp.exe',
    '%2F..%2Fetc',
    'a ?#&=+%20.txt',
    '__proto__',
    `${'long-'.repeat(200)}x.txt`,
  ]
  const folder = 'hostile/../'
  for (const name of names) await put(folder + name, name, 'text/plain')
  await put(`${'z'.repeat(1020)}.txt`, 'z', 'text/plain')
  await page.goto(service.address(`/buckets/${id}?prefix=${encodeURIComponent(folder)}`))
  for (const name of names) await page.getByRole('link', { name, exact: true }).waitFor()
  await inspect(page, 'objects-hostile')
  for (const name of names) {
    await page.getByRole('link', { name, exact: true }).click()
    const panel = page.getByRole('dialog', { name, exact: true })
    await panel
      .locator('pre')
      .filter({ hasText: name.slice(0, 20) })
      .waitFor()
    const isolated = await panel.locator('h2 bdi').allTextContents()
    assert.deepEqual(isolated, name.includes('\u202e') ? ['\u202e'] : [], 'nothing after it is reordered')
    await panel.getByRole('button', { name: 'Close' }).click()
  }
  await page.getByRole('button', { name: `Actions for ${names[0]}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Name', { exact: true }).fill('<b>tame.txt')
  await page.getByRole('button', { name: 'Rename object' }).click()
  await page.getByRole('link', { name: '<b>tame.txt', exact: true }).waitFor()
  for (const name of names.slice(1)) {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' })
  }
  const { body } = await api(`GET /buckets/${id}/objects?prefix=${encodeURIComponent(folder)}`)
  assert.deepEqual(
    body.map(({ object_key }: { object_key: string }) => object_key),
    [`${folder}<b>tame.txt`],
  )
})

test('tags are changed in place, and what the server refuses is said at them', async () => {
  await put('tagged.txt', 'x', 'text/plain')
  const panel = await open('tagged.txt')
  const tags = panel.getByRole('region', { name: 'Tags' })
  await tags.getByRole('button', { name: 'Add tag' }).click()
  await tags.getByLabel('Name of tag 1').fill('project')
  await tags.getByLabel('Value of tag 1').fill('a<b')
  await tags.getByRole('button', { name: 'Save changes' }).click()
  await tags.getByRole('alert').or(tags.locator('.field-error')).waitFor()
  await tags.getByLabel('Value of tag 1').fill('harbour')
  await tags.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Tags saved').waitFor()
  const { body } = await api(`GET /buckets/${id}/object-tags?objectKey=tagged.txt`)
  assert.deepEqual(body.tags, { project: 'harbour' })
  await tags.getByRole('button', { name: 'Remove tag 1' }).click()
  await page.keyboard.press('Escape')
  await page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await tags.getByRole('button', { name: 'Save changes' }).click()
  await eventually(async () =>
    assert.deepEqual((await api(`GET /buckets/${id}/object-tags?objectKey=tagged.txt`)).body.tags, {}),
  )
})

test('an earlier version is restored, another is deleted for good, and the events tell both', async () => {
  for (const text of ['one', 'two!', 'three']) await put('versions.txt', text, 'text/plain')
  const panel = await open('versions.txt')
  const versions = panel.getByRole('region', { name: 'Versions' })
  await versions.getByText('Current').waitFor()
  await inspect(page, 'object-versions')
  const version = (size: string) => versions.getByRole('listitem').filter({ hasText: size })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    version('3 B')
      .getByRole('button', { name: /^Download/ })
      .click(),
  ])
  assert.equal(download.suggestedFilename(), 'versions.txt')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  assert.equal(Buffer.concat(chunks).toString(), 'one')
  await version('3 B').getByRole('button', { name: 'Restore' }).click()
  await panel.locator('pre').filter({ hasText: /^one$/ }).waitFor()
  assert.equal((await api(`GET ${objectPath(id, 'versions.txt')}`)).text, 'one')
  await version('4 B').getByRole('button', { name: 'Delete' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete this version?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await version('4 B').getByRole('button', { name: 'Delete' }).click()
  await asked.getByRole('button', { name: 'Delete version' }).click()
  await version('4 B').waitFor({ state: 'detached' })
  const sizes = (await api(`GET /buckets/${id}/versions?objectKey=versions.txt`)).body.map(
    ({ size_bytes }: { size_bytes: number }) => size_bytes,
  )
  assert.deepEqual(sizes, [3, 5, 3])
  const events = panel.getByRole('region', { name: 'Events' })
  await events.getByText('Restored from a version').waitFor()
  await events.getByText('Uploaded', { exact: true }).waitFor()
  await put('versions.txt', 'live!', 'text/plain')
  await panel
    .locator('pre')
    .filter({ hasText: /^live!$/ })
    .waitFor()
})

test('an object that somebody deletes meanwhile says so', async () => {
  await put('gone.txt', 'x', 'text/plain')
  const panel = await open('gone.txt')
  // All of it is loaded: what is still asked for when it is gone would not be found.
  await panel.locator('pre').getByText('x', { exact: true }).waitFor()
  await panel.getByRole('region', { name: 'Tags' }).waitFor()
  await api(`DELETE ${objectPath(id, 'gone.txt')}`)
  await panel.getByText('This object is gone').waitFor()
  await inspect(page, 'object-gone')
})

// The refusals are that of the first request, before signing in, and that of a tag.
test('nothing was written to the console of the browser', () => assertQuiet(troubles, [400, 401]))

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath, putObject } from '#test/support/storage.ts'
import { assertQuiet, openAs, openAsMember, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'
import { picture } from './support/samples.ts'

const service = await startConsole()
const owner = await storageOwner(service.system)
const { api } = owner
const { page, troubles } = await openAs(service, owner.email)

const pathOf = (id: string, key: string) => objectPath(id, encodeURIComponent(key))
const put = (id: string, key: string, raw: string | Buffer, type = 'text/plain') =>
  putObject(api, pathOf(id, key), raw, { 'content-type': type })
const keysOf = async (id: string) => {
  const { body } = await api(`GET /buckets/${id}/objects`)
  return body.map(({ object_key }: { object_key: string }) => object_key) as string[]
}

let buckets = 0
/** A bucket with these objects, open in the console. */
const open = async (keys: string[], more: object = {}, query = '') => {
  const name = `bucket-${++buckets}`
  const id = await createBucket(api, name, more)
  for (const key of keys) await put(id, key, `content of ${key}`)
  await page.goto(service.address(`/buckets/${id}${query}`))
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  return { id, name }
}
const row = (name: string, on: Page = page) =>
  on.getByRole('row').filter({ has: on.getByRole('link', { name, exact: true }) })
const act = async (name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const toast = (text: string | RegExp) => page.getByText(text)

test('folders are walked through by their names, and back by the breadcrumb', async () => {
  const { id, name } = await open(['top.txt', '2026/spring/a.txt', '2026/spring/b.txt', '2026/c.txt'])
  await put(id, 'harbour.png', picture(), 'image/png')
  await page.getByRole('link', { name: 'harbour.png' }).waitFor()
  const headings = await page.getByRole('columnheader').allInnerTexts()
  for (const title of ['Name', 'Size', 'Type', 'Modified']) assert.ok(headings.includes(title), title)
  await eventually(async () => assert.match(await row('top.txt').innerText(), /18 B[\s\S]*text\/plain/))
  await inspect(page, 'objects')
  await page.getByRole('link', { name: '2026', exact: true }).click()
  await row('c.txt').waitFor()
  await page.getByRole('link', { name: 'spring', exact: true }).click()
  await row('b.txt').waitFor()
  assert.match(page.url(), /prefix=2026%2Fspring%2F/)
  const way = page.getByRole('navigation', { name: 'Folders' })
  await eventually(async () =>
    assert.deepEqual(await way.getByRole('link').allInnerTexts(), [name, '2026', 'spring']),
  )
  await page.reload()
  await row('a.txt').waitFor()
  await way.getByRole('link', { name: '2026' }).click()
  await row('c.txt').waitFor()
  await page.goBack()
  await row('a.txt').waitFor()
})

test('objects are found by a part of their key, in all folders below', async () => {
  await open(['a/needle.txt', 'b/c/the-needles', 'other.txt'])
  await page.keyboard.press('/')
  await page.keyboard.type('needle')
  await row('b/c/the-needles').waitFor()
  await row('a/needle.txt').waitFor()
  await eventually(async () => assert.equal(await row('other.txt').count(), 0))
  assert.match(page.url(), /search=needle/)
  await page.getByRole('searchbox', { name: 'Search objects' }).fill('nowhere')
  await page.getByText('Nothing found').waitFor()
  await inspect(page, 'objects-nothing-found')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row('other.txt').waitFor()
})

test('pages go on by a cursor, and the number of rows can be chosen', async () => {
  const keys = Array.from({ length: 60 }, (_, n) => `n-${String(n).padStart(2, '0')}`)
  await open(keys)
  await page.getByLabel('Rows per page').selectOption('25')
  await row('n-24').waitFor()
  await row('n-25').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Next' }).click()
  await row('n-49').waitFor()
  await page.reload()
  await row('n-49').waitFor()
  await page.getByRole('button', { name: 'Previous' }).click()
  await row('n-00').waitFor()
})

test('an empty bucket says what to do, and a new folder can be made', async () => {
  const { id } = await open([])
  await page.getByRole('heading', { name: 'No objects yet' }).waitFor()
  await inspect(page, 'objects-empty')
  await page.getByRole('button', { name: 'New folder' }).click()
  await dialog('New folder').getByLabel('Name').fill('a/b')
  await dialog('New folder').getByRole('button', { name: 'Create folder' }).click()
  await page.getByText('Must not contain a slash').waitFor()
  await inspect(page, 'objects-new-folder')
  await dialog('New folder').getByLabel('Name').fill('drafts')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'drafts', exact: true }).click()
  await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
  assert.deepEqual(await keysOf(id), ['drafts/'])
})

test('a deleted object comes back by Undo, and so does a folder with all that is in it', async () => {
  const { id } = await open(['a.txt', 'f/1.txt', 'f/g/2.txt'])
  await act('a.txt', 'Delete')
  await row('a.txt').waitFor({ state: 'detached' })
  assert.deepEqual(await keysOf(id), ['f/1.txt', 'f/g/2.txt'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await row('a.txt').waitFor()
  await act('f', 'Delete')
  await row('f').waitFor({ state: 'detached' })
  assert.deepEqual(await keysOf(id), ['a.txt'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(async () => assert.deepEqual(await keysOf(id), ['a.txt', 'f/1.txt', 'f/g/2.txt']))
  await row('f').waitFor()
})

test('an object is renamed in its place, by Undo it has its name again, and what is there is not replaced unasked', async () => {
  const { id } = await open(['f/a.txt', 'f/b.txt'], {}, '?prefix=f%2F')
  await act('a.txt', 'Rename')
  await dialog('Rename object').getByLabel('Name').fill('b.txt')
  await page.getByRole('button', { name: 'Rename object' }).click()
  await dialog('Replace b.txt?').getByRole('button', { name: 'Cancel' }).click()
  await dialog('Rename object').getByLabel('Name').fill('c.txt')
  await page.getByRole('button', { name: 'Rename object' }).click()
  await row('c.txt').waitFor()
  assert.deepEqual(await keysOf(id), ['f/b.txt', 'f/c.txt'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await row('a.txt').waitFor()
  assert.deepEqual(await keysOf(id), ['f/a.txt', 'f/b.txt'])
})

test('an object is copied to another bucket by a whole key, and moved into a folder that is chosen', async () => {
  const other = await createBucket(api, 'the-other')
  await put(other, 'inbox/old/x', 'x')
  const { id } = await open(['a.txt', 'f/1.txt'])
  await act('a.txt', 'Copy')
  const copying = dialog('Copy object')
  await copying.getByLabel('Bucket').selectOption({ label: 'the-other' })
  await copying.getByRole('button', { name: 'inbox' }).click()
  await copying.getByRole('button', { name: 'old' }).waitFor()
  await eventually(async () => assert.equal(await copying.getByLabel('Key').inputValue(), 'inbox/a.txt'))
  await inspect(page, 'objects-copy')
  await copying.getByLabel('Key').fill('inbox/copied.txt')
  await copying.getByRole('button', { name: 'Copy object' }).click()
  await toast('Copied a.txt').waitFor()
  assert.deepEqual(await keysOf(other), ['inbox/copied.txt', 'inbox/old/x'])
  await act('f', 'Move')
  await dialog('Move folder').getByLabel('Key').fill('f/inside/')
  await page.getByRole('button', { name: 'Move folder' }).click()
  await page.getByText('Must not be inside').waitFor()
  await dialog('Move folder').getByLabel('Key').fill('g/h')
  await page.getByRole('button', { name: 'Move folder' }).click()
  await row('g').waitFor()
  assert.deepEqual(await keysOf(id), ['a.txt', 'g/h/1.txt'])
})

test('several objects and folders are moved and deleted together', async () => {
  const { id } = await open(['a.txt', 'b.txt', 'f/1.txt', 'keep.txt'])
  for (const name of ['a.txt', 'f'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  await inspect(page, 'objects-selection')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Folder', { exact: true }).fill('new')
  await page.getByRole('button', { name: 'Move 2 objects' }).click()
  await row('new').waitFor()
  assert.deepEqual(await keysOf(id), ['b.txt', 'keep.txt', 'new/a.txt', 'new/f/1.txt'])
  for (const name of ['b.txt', 'new'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await row('b.txt').waitFor({ state: 'detached' })
  assert.deepEqual(await keysOf(id), ['keep.txt'])
})

test('a link has the lifetime that was chosen, and opens without a session', async () => {
  await open(['folder/the file.txt'], {}, '?prefix=folder%2F')
  await act('the file.txt', 'Copy link')
  const linking = dialog('Link to the file.txt')
  await linking.getByLabel('Lifetime').selectOption({ label: '7 days' })
  await linking.getByRole('button', { name: 'Copy link' }).click()
  const url = new URL(await linking.getByLabel('Link', { exact: true }).inputValue())
  const days = (Number(url.searchParams.get('expires')) - Date.now() / 1000) / 86_400
  assert.ok(days > 6.9 && days < 7.1, `${days} days`)
  await linking.getByText('Expires').waitFor()
  await inspect(page, 'objects-link')
  const response = await fetch(service.root + url.pathname + url.search)
  assert.equal(await response.text(), 'content of folder/the file.txt')
})

test('in a public bucket the link is the public address', async () => {
  const { id } = await open(['a b/ü?#.txt'], { visibility: 'public' }, '?prefix=a%20b%2F')
  await act('ü?#.txt', 'Copy link')
  const url = await page.getByRole('dialog').getByLabel('Link', { exact: true }).inputValue()
  assert.equal(url, `${service.root}/public/objects/${id}/a%20b/%C3%BC%3F%23.txt`)
  assert.equal(await (await fetch(url)).text(), 'content of a b/ü?#.txt')
})

test('an object is saved under its name', async () => {
  await open(['f/report.txt'], {}, '?prefix=f%2F')
  const [download] = await Promise.all([page.waitForEvent('download'), act('report.txt', 'Download')])
  assert.equal(download.suggestedFilename(), 'report.txt')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  assert.equal(Buffer.concat(chunks).toString(), 'content of f/report.txt')
})

test('what others change appears by itself, and stays away from what is being typed', async () => {
  const { id } = await open(['mine.txt'])
  await page.getByRole('button', { name: 'New folder' }).click()
  await dialog('New folder').getByLabel('Name').fill('half typ')
  await put(id, 'theirs.txt', 'x')
  await page.locator('tr', { hasText: 'theirs.txt' }).waitFor()
  await eventually(async () =>
    assert.equal(await dialog('New folder').getByLabel('Name').inputValue(), 'half typ'),
  )
  await dialog('New folder').getByRole('button', { name: 'Cancel' }).click()
  await api(`DELETE ${pathOf(id, 'mine.txt')}`)
  await row('mine.txt').waitFor({ state: 'detached' })
})

test('by keys alone one walks into a folder and opens an object', async () => {
  await open(['f/1.txt', 'f/2.txt'])
  await row('f').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await row('1.txt').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog('2.txt').waitFor()
  await page.keyboard.press('Escape')
  await dialog('2.txt').waitFor({ state: 'detached' })
})

test('a member is not offered what only owners and admins may do', async () => {
  const { id } = await open(['a.txt'])
  await put(id, 'a.txt', 'second')
  const { page: theirs } = await openAsMember(service, owner, 'member', `/buckets/${id}?object=a.txt`)
  const panel = theirs.getByRole('dialog', { name: 'a.txt' })
  await panel.getByRole('button', { name: 'Restore' }).waitFor()
  await eventually(async () =>
    assert.equal(await panel.getByRole('button', { name: 'Delete', exact: true }).count(), 0),
  )
  await theirs.context().close()
})

// The refusal is that of the first request, before signing in.
test('nothing was written to the console of the browser', () => assertQuiet(troubles, [401]))

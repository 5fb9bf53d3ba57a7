import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Request } from 'playwright-core'
import { cableTo } from '#test/sdk/cable.ts'
import { openPage } from '#test/support/browser.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket } from '#test/support/storage.ts'
import { assertQuiet, openAs, openAsOwner, type Page, signIn, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const mebibyte = 2 ** 20
const service = await startConsole()
const owner = await storageOwner(service.system)
const { api } = owner
const { page, troubles } = await openAs(service, owner.email)
const folder = await mkdtemp(join(tmpdir(), 'trivet-console-'))

let buckets = 0
const open = async (on: Page = page, root = service.root) => {
  const id = await createBucket(api, `uploads-${++buckets}`)
  await on.goto(`${root}/console/buckets/${id}`)
  await on.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  return id
}
const keysOf = async (id: string, query = '') => {
  const { body } = await api(`GET /buckets/${id}/objects${query}`)
  return body.map(({ object_key }: { object_key: string }) => object_key) as string[]
}
const choose = async (
  files: string[] | { name: string; mimeType: string; buffer: Buffer }[],
  on: Page = page,
) => {
  const [chooser] = await Promise.all([
    on.waitForEvent('filechooser'),
    on.getByRole('button', { name: 'Upload', exact: true }).click(),
  ])
  await chooser.setFiles(files as string[])
}
const panelOn = (on: Page = page) => on.getByRole('region', { name: 'Uploads' })
const file = (name: string, buffer: Buffer, mimeType = 'text/plain') => ({ name, mimeType, buffer })
const onDisk = async (name: string, bytes: Buffer) => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const contentOf = async (id: string, key: string) => {
  const headers = { authorization: `Bearer ${owner.token}` }
  const response = await fetch(`${service.root}/buckets/${id}/objects/${key}`, { headers })
  return Buffer.from(await response.arrayBuffer())
}
const progressOf = async (name: string, on: Page = page) =>
  Number(await panelOn(on).getByRole('progressbar', { name, exact: true }).getAttribute('aria-valuenow'))

/** Drops files that the page makes on the list, as a file manager would. */
const drop = async (files: [name: string, text: string][], on: Page = page) => {
  await on.locator('main table, main .state').first().waitFor()
  await on.evaluate(`{
    const transfer = new DataTransfer()
    for (const [name, text] of ${JSON.stringify(files)}) transfer.items.add(new File([text], name, { type: 'text/plain' }))
    const zone = document.querySelector('main table, main .state')
    for (const type of ['dragenter', 'dragover', 'drop'])
      zone.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }`)
}

test('chosen files are uploaded with a bar for each and one for all, into the folder that is open', async () => {
  const id = await open()
  await page.goto(`${service.root}/console/buckets/${id}?prefix=in%2Fhere%2F`)
  await choose([
    file('a.txt', Buffer.from('a')),
    file('b.md', Buffer.from('# b'), ''),
    file('empty', Buffer.alloc(0)),
  ])
  const bars = panelOn().getByRole('progressbar')
  await panelOn().getByText('3 files uploaded').waitFor()
  await eventually(async () => assert.equal(await bars.count(), 4))
  assert.equal(await progressOf('in/here/a.txt'), 100)
  await page.getByRole('link', { name: 'b.md' }).waitFor()
  assert.deepEqual(await keysOf(id), ['in/here/a.txt', 'in/here/b.md', 'in/here/empty'])
  await inspect(page, 'uploads-done')
  await panelOn().getByRole('button', { name: 'Clear finished' }).click()
  await panelOn().waitFor({ state: 'detached' })
})

test('a chosen folder keeps its structure', async () => {
  const id = await open()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    (async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Upload a folder' }).click()
    })(),
  ])
  const top = join(folder, 'holiday')
  await mkdir(join(top, 'day 1'), { recursive: true })
  await writeFile(join(top, 'plan.txt'), 'plan')
  await writeFile(join(top, 'day 1', 'sea.txt'), 'sea')
  await chooser.setFiles(top)
  await panelOn().getByText('2 files uploaded').waitFor()
  assert.deepEqual(await keysOf(id), ['holiday/day 1/sea.txt', 'holiday/plan.txt'])
  await panelOn().getByRole('button', { name: 'Clear finished' }).click()
})

test('100 dropped files arrive, one of them with a name that is markup', async () => {
  const id = await open()
  const names = Array.from({ length: 99 }, (_, n) => `f-${String(n).padStart(3, '0')}.txt`)
  await drop([...names, '<img src=x onerror=alert(1)>'].map((name) => [name, `text of ${name}`]))
  await panelOn().getByText('100 files uploaded').waitFor()
  assert.equal((await keysOf(id)).length, 100)
  assert.equal((await contentOf(id, 'f-012.txt')).toString(), 'text of f-012.txt')
  await panelOn().getByRole('button', { name: 'Clear finished' }).click()
})

test('where the bucket keeps no versions, nothing is replaced unasked', async () => {
  const id = await createBucket(api, 'unversioned', { versioningEnabled: false })
  await page.goto(`${service.root}/console/buckets/${id}`)
  await drop([['a.txt', 'first']])
  await panelOn().getByText('1 file uploaded').waitFor()
  await drop([['a.txt', 'second']])
  const asked = page.getByRole('dialog', { name: 'Replace a.txt?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await drop([['a.txt', 'third']])
  await asked.getByRole('button', { name: 'Replace' }).click()
  await eventually(async () => assert.equal((await contentOf(id, 'a.txt')).toString(), 'third'))
  await panelOn().getByRole('button', { name: 'Clear finished' }).click()
})

test('a large file is sent in parts; it can be paused, resumed and cancelled', async (t) => {
  const cable = await cableTo(t, service.root, 25)
  const slow = await openPage(service.browser, { viewport: { width: 1440, height: 900 } })
  await slow.page.goto(`${cable.url}/console`)
  await signIn(slow.page, owner.email)
  const id = await open(slow.page, cable.url)
  const bytes = randomBytes(24 * mebibyte)
  await choose([await onDisk('large.bin', bytes)], slow.page)
  const panel = panelOn(slow.page)
  await eventually(async () => assert.ok((await progressOf('large.bin', slow.page)) > 5))
  await panel
    .getByText(/MiB of 24 MiB · .*\/s · .*left/)
    .first()
    .waitFor()
  await panel.getByRole('button', { name: 'Pause' }).click()
  await panel.getByText('Paused').waitFor()
  await inspect(slow.page, 'uploads-paused')
  // What the browser had handed over before may still be on its way.
  await eventually(async () => {
    const sent = cable.sent
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.ok(cable.sent - sent < mebibyte, 'nothing is sent while it is paused')
  })
  await panel.getByRole('button', { name: 'Resume' }).click()
  await panel.getByText('1 file uploaded').waitFor()
  const [object] = (await api(`GET /buckets/${id}/objects`)).body
  assert.match(object.etag, /-3/)
  assert.equal(md5(await contentOf(id, 'large.bin')), md5(bytes))
  await choose([await onDisk('unwanted.bin', bytes)], slow.page)
  await eventually(async () => assert.ok((await progressOf('unwanted.bin', slow.page)) > 5))
  await panel
    .getByRole('listitem')
    .filter({ hasText: 'unwanted.bin' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await eventually(async () => {
    const { body } = await api('GET /uploads')
    assert.deepEqual(
      body.filter(({ status }: { status: string }) => status === 'pending'),
      [],
    )
  })
  assert.deepEqual(await keysOf(id), ['large.bin'])
  await slow.page.context().close()
})

test('a lost connection is said, and when it returns the upload goes on by itself', async (t) => {
  const cable = await cableTo(t, service.root, 2)
  const far = await openPage(service.browser, { viewport: { width: 1440, height: 900 } })
  await far.page.goto(`${cable.url}/console`)
  await signIn(far.page, owner.email)
  const id = await open(far.page, cable.url)
  const bytes = randomBytes(24 * mebibyte)
  cable.pullAfter(10 * mebibyte)
  await choose(
    [await onDisk('travelled.bin', bytes), await onDisk('small.bin', Buffer.alloc(1000))],
    far.page,
  )
  await panelOn(far.page).getByText('Waiting for the connection').first().waitFor()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const before = cable.sent
  cable.plugIn()
  await eventually(async () => assert.ok(cable.sent > before + mebibyte))
  await panelOn(far.page).getByText('2 files uploaded').waitFor()
  assert.equal(md5(await contentOf(id, 'travelled.bin')), md5(bytes))
  await far.page.context().close()
})

test('an upload whose tab was closed goes on with what is missing when the same file is chosen again', async (t) => {
  const cable = await cableTo(t, service.root, 1)
  const far = await openPage(service.browser, { viewport: { width: 1440, height: 900 } })
  await far.page.goto(`${cable.url}/console`)
  await signIn(far.page, owner.email)
  const id = await open(far.page, cable.url)
  const bytes = randomBytes(32 * mebibyte)
  const path = await onDisk('closed.bin', bytes)
  cable.pullAfter(22 * mebibyte)
  await choose([path], far.page)
  await panelOn(far.page).getByText('Waiting for the connection').waitFor()
  const tab = await far.page.context().newPage()
  await far.page.close()
  cable.plugIn()
  await tab.goto(`${cable.url}/console/buckets/${id}`)
  const notice = tab.getByRole('region', { name: 'Interrupted uploads' })
  await notice.getByText('closed.bin').first().waitFor()
  await inspect(tab, 'uploads-interrupted')
  const before = cable.sent
  const [chooser] = await Promise.all([
    tab.waitForEvent('filechooser'),
    notice.getByRole('button', { name: 'Choose file' }).click(),
  ])
  await chooser.setFiles(path)
  await panelOn(tab).getByText('1 file uploaded').waitFor()
  assert.ok(cable.sent - before < 25 * mebibyte, `${cable.sent - before} bytes were sent again`)
  assert.equal(md5(await contentOf(id, 'closed.bin')), md5(bytes))
  await notice.waitFor({ state: 'detached' })
  const stored = await tab.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
  assert.doesNotMatch(stored, /eyJ|token|trivet_storage/i)
  await tab.context().close()
})

test('what the server refuses is said at the file, and can be tried again', async () => {
  const id = await createBucket(api, 'with-a-quota', { storageQuotaBytes: 10 })
  await page.goto(`${service.root}/console/buckets/${id}`)
  const question = page.getByRole('dialog', { name: 'Not enough room' })
  await page.getByText('0 B of 10 B').waitFor()
  const sent: string[] = []
  const watch = (request: Request) => request.method() !== 'GET' && sent.push(request.url())
  page.on('request', watch)
  await drop([['too-much.txt', 'more than ten bytes']])
  await question.getByText('with-a-quota holds 0 B of 10 B, and 1 file of 19 B would be added').waitFor()
  await inspect(page, 'uploads-no-room')
  await question.getByRole('link', { name: 'Settings of the bucket' }).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.deepEqual(sent, [], 'nothing was sent')
  page.off('request', watch)
  await drop([['too-much.txt', 'more than ten bytes']])
  await question.getByRole('button', { name: 'Upload what fits' }).click()
  await panelOn().getByText('The storage quota of the bucket is exceeded').waitFor()
  await inspect(page, 'uploads-failed')
  await api(`PATCH /buckets/${id}`, { body: { storageQuotaBytes: null } })
  await panelOn().getByRole('button', { name: 'Retry' }).click()
  await panelOn().getByText('1 file uploaded').waitFor()
  assert.deepEqual(await keysOf(id), ['too-much.txt'])
  await panelOn().getByRole('button', { name: 'Clear finished' }).click()
})

test('the number of objects that an organization may keep is told before, too', async () => {
  const small = await openAsOwner(service)
  const { api: theirs, organization } = small.owner
  const id = await createBucket(theirs, 'nearly-full')
  await service.system.sql`
    update storage.organizations set storage_quota_bytes = (retained_objects + 2) * 8192
    where id = ${organization.id}`
  await small.page.goto(service.address(`/buckets/${id}`))
  await drop(
    ['1.txt', '2.txt', '3.txt'].map((name) => [name, 'x']),
    small.page,
  )
  const question = small.page.getByRole('dialog', { name: 'Not enough room' })
  await question.getByText(/holds 0 of 2 objects, and 3 files of 3 B would be added/).waitFor()
  await question.getByRole('link', { name: 'Billing' }).click()
  await small.page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
  assert.equal(await question.count(), 0)
  assertQuiet(small.troubles)
  await small.page.context().close()
})

test('of many files, those that the server refuses say why, and the others are stored', async () => {
  const id = await createBucket(api, 'with-room-for-ten', { storageQuotaBytes: 1000 })
  await page.goto(`${service.root}/console/buckets/${id}`)
  await drop(Array.from({ length: 20 }, (_, n) => [`${n}.txt`, 'x'.repeat(100)]))
  await page.getByRole('button', { name: 'Upload what fits' }).click()
  await panelOn().getByText('10 files failed').waitFor()
  const refused = panelOn().getByText('The storage quota of the bucket is exceeded')
  await eventually(async () => assert.equal(await refused.count(), 10))
  assert.equal((await keysOf(id)).length, 10)
  await api(`PATCH /buckets/${id}`, { body: { storageQuotaBytes: null } })
  await panelOn().getByRole('button', { name: 'Retry all' }).click()
  await panelOn().getByText('20 files uploaded').waitFor()
  assert.equal((await keysOf(id)).length, 20)
  await panelOn().getByRole('button', { name: 'Clear finished' }).click()
})

test('many small files are paused and resumed, and wait for a lost connection', async (t) => {
  const cable = await cableTo(t, service.root, 100)
  const far = await openPage(service.browser, { viewport: { width: 1440, height: 900 } })
  await far.page.goto(`${cable.url}/console`)
  await signIn(far.page, owner.email)
  const id = await open(far.page, cable.url)
  const panel = panelOn(far.page)
  await drop(
    Array.from({ length: 300 }, (_, n) => [`${n}.txt`, `${n} `.repeat(2000)]),
    far.page,
  )
  await panel.getByRole('button', { name: 'Pause all' }).click()
  await panel.getByRole('button', { name: 'Resume all' }).waitFor()
  await eventually(async () => {
    const { length } = await keysOf(id)
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.equal((await keysOf(id)).length, length, 'nothing is stored while they are paused')
    assert.ok(length < 300)
  })
  await panel.getByRole('button', { name: 'Resume all' }).click()
  cable.pull()
  await panel.getByText('Waiting for the connection').first().waitFor()
  cable.plugIn()
  await panel.getByText('300 files uploaded').waitFor()
  assert.equal((await keysOf(id)).length, 300)
  assert.equal((await contentOf(id, '299.txt')).toString(), '299 '.repeat(2000))
  await far.page.context().close()
})

test('10,000 files in one drop go on at the pace of the rate limit, say so, and leave the console usable', async () => {
  const id = await open()
  await drop(Array.from({ length: 10_000 }, (_, n) => [`${n}.txt`, 'x']))
  await panelOn().getByText('The server takes 1,200 requests a minute').waitFor({ timeout: 30_000 })
  await panelOn()
    .getByText(/of 10,000 files/)
    .waitFor()
  await inspect(page, 'uploads-many')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Buckets' }).click()
  await page.getByRole('heading', { name: 'Buckets', level: 1 }).waitFor()
  await panelOn().getByRole('button', { name: 'Cancel all' }).click()
  await panelOn().getByText('files uploaded').waitFor()
  assert.ok((await keysOf(id)).length > 10)
})

// Refusals: the first request, before signing in, and the quota.
test('nothing was written to the console of the browser', () => assertQuiet(troubles, [401, 403]))

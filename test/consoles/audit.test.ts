import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { eventually } from '#test/support/eventually.ts'
import { createBucket, putObject } from '#test/support/storage.ts'
import { assertQuiet, openAsMember, openAsOwner, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { page, owner, troubles } = await openAsOwner(console, '/audit-log')
const bucket = await createBucket(owner.api, 'audited')
const put = (key: string) =>
  putObject(owner.api, `/buckets/${bucket}/objects/${encodeURIComponent(key)}`, 'x')
const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')
const actions = async () => rows.locator('td:first-child').allTextContents()

test('what happens appears without a reload, keys as they are', async () => {
  const hostile = `<img src=x onerror="document.title='run'">=1+1`
  await put(hostile)
  await page.getByText(hostile, { exact: true }).waitFor()
  assert.notEqual(await page.title(), 'run')
  for (let n = 0; n < 30; n++) await put(`photos/2026/harbour-${n}.jpg`)
  await page.getByText('photos/2026/harbour-29.jpg').waitFor()
  await inspect(page, 'audit')
})

test('an entry opens with all its details', async () => {
  await rows.filter({ hasText: 'harbour-29' }).getByRole('button').first().click()
  const drawer = page.getByRole('dialog', { name: 'object.uploaded' })
  await drawer.getByText(owner.user.full_name).waitFor()
  await drawer.getByText('"objectKey": "photos/2026/harbour-29.jpg"').waitFor()
  await inspect(page, 'audit-entry')
  await drawer.getByRole('button', { name: 'Close' }).click()
})

test('filters are in the address, survive a reload, and can be cleared', async () => {
  await page.getByRole('combobox', { name: 'Action' }).selectOption('bucket.created')
  await page.waitForURL(/action=bucket.created/)
  const onlyThat = () => eventually(async () => assert.deepEqual(await actions(), ['bucket.created']))
  await onlyThat()
  await page.reload()
  await onlyThat()
  await page.getByRole('combobox', { name: 'Action' }).selectOption('All actions')
  await page.getByRole('searchbox', { name: 'Search object keys' }).fill('harbour-1')
  await page.waitForURL(/search=harbour-1/)
  await eventually(async () => {
    assert.equal(await rows.count(), 11)
    assert.equal(await rows.filter({ hasText: 'harbour-1' }).count(), 11)
  })
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('harbour-29').waitFor()
  assert.ok(!page.url().includes('?'))
})

test('pages and their size are chosen at the foot of the table', async () => {
  await page.getByLabel('Rows per page').selectOption('25')
  await page.waitForURL(/size=25/)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL(/page=2/)
  await page.getByRole('button', { name: 'auth.registered' }).waitFor()
  await page.goBack()
  await page.getByText('harbour-29').waitFor()
})

test('the exported file has what the filters select, for a spreadsheet', async () => {
  await page.getByRole('combobox', { name: 'Action' }).selectOption('object.uploaded')
  await page.waitForURL(/action=/)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'audit-log.csv')
  const lines = parse(await readFile(await download.path()), { columns: true, bom: true }) as {
    action: string
  }[]
  assert.equal(lines.length, 31)
  assert.ok(lines.every(({ action }) => action === 'object.uploaded'))
})

test('admins read the log, members are told that they may not', async () => {
  const admin = await openAsMember(console, owner, 'admin', '/audit-log')
  await admin.page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').first().waitFor()
  await admin.page.getByRole('combobox', { name: 'Person' }).selectOption(owner.user.full_name)
  await admin.page.waitForURL(/person=/)
  const member = await openAsMember(console, owner, 'member', '/audit-log')
  await member.page.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
  await inspect(member.page, 'audit-denied')
  for (const quiet of [troubles, admin.troubles, member.troubles]) assertQuiet(quiet)
})

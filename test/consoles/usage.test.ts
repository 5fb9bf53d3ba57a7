import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { createBucket, objectPath, putObject } from '#test/support/storage.ts'
import { assertQuiet, openAsMember, openAsOwner, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { system } = console
const { page, owner, troubles } = await openAsOwner(console, '/usage')
const KiB = 1024
const MiB = 1024 ** 2
const chart = (title: string) => page.getByRole('figure', { name: title })

/** Days of the past, as they would have been closed. */
const addPast = async () => {
  const { id } = owner.organization
  await system.sql`
    update storage.organizations set created_at = now() - interval '60 days' where id = ${id}`
  await system.sql`
    insert into storage.usage_days (org_id, day, stored_bytes, object_count, uploaded_bytes, downloaded_bytes,
      bandwidth_used_bytes)
    select ${id}, (now() at time zone 'UTC')::date - n, (60 - n) * 20 * ${MiB}::int8, (60 - n) * 3,
      (n * 37 % 50 + 5) * ${MiB}::int8, (n * 53 % 80 + 10) * ${MiB}::int8, (60 - n) * 40 * ${MiB}::int8
    from generate_series(1, 59) n`
}

test('what is stored and downloaded shows without a reload', async () => {
  await page.getByRole('meter', { name: 'Storage used' }).waitFor()
  const bucket = await createBucket(owner.api, 'measured')
  await putObject(owner.api, objectPath(bucket, 'a.bin'), Buffer.alloc(3 * MiB))
  await page.getByText('3 MiB of 5 GiB (0%)').waitFor()
  await owner.api(`GET ${objectPath(bucket, 'a.bin')}`)
  await eventually(async () =>
    assert.equal((await owner.api('GET /usage/summary')).body.bandwidth_used_bytes, 3 * MiB),
  )
  await putObject(owner.api, objectPath(bucket, 'b.bin'), Buffer.alloc(512 * KiB))
  await page.getByText('3 MiB of 10 GiB (0%)').waitFor()
  await page.getByText('3.5 MiB of 5 GiB (0%)').waitFor()
  await page.getByRole('meter', { name: 'Objects kept' }).waitFor()
  await page.getByText('2 of 655,360 (0%)').waitFor()
})

test('charts have the numbers of the API, and the same as a table', async () => {
  await addPast()
  await page.reload()
  await chart('Storage').getByText('Quota 5 GiB').waitFor()
  await chart('Bandwidth').getByText('Quota 10 GiB a month').waitFor()
  await page.locator('.u-over').nth(3).waitFor()
  await inspect(page, 'usage')
  const { days } = (await owner.api('GET /usage/history')).body as { days: Record<string, number>[] }
  assert.equal(days.length, 30)
  const inWords = (n: number) => {
    const units = ['B', 'KiB', 'MiB', 'GiB']
    const at = n === 0 ? 0 : Math.min(3, Math.floor(Math.log2(n) / 10))
    const value = n / 1024 ** at
    return `${value.toLocaleString('en-US', { maximumFractionDigits: at === 0 || value >= 100 ? 0 : 1 })} ${units[at]}`
  }
  for (const [title, ...fields] of [
    ['Storage', 'stored_bytes'],
    ['Bandwidth', 'bandwidth_used_bytes'],
    ['Transfers', 'uploaded_bytes', 'downloaded_bytes'],
  ] as const) {
    await chart(title).getByRole('button', { name: 'Show as table' }).click()
    const cells = await page.getByRole('table', { name: title }).locator('tbody td.end').allTextContents()
    assert.deepEqual(
      cells,
      days.flatMap((day) => fields.map((field) => inWords(day[field] as number))),
      title,
    )
  }
})

test('the arrow keys read a chart', async () => {
  const area = chart('Objects').getByRole('application')
  await area.focus()
  await page.keyboard.press('End')
  await area.getByRole('status').getByText('Objects: 2', { exact: true }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await area.getByRole('status').getByText('Objects: 177', { exact: true }).waitFor()
})

test('the period is in the address, and days before the organization was there are empty', async () => {
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 90 days')
  await page.waitForURL(/days=90/)
  await chart('Objects').getByRole('button', { name: 'Show as table' }).click()
  const rows = page.getByRole('table', { name: 'Objects' }).locator('tbody tr')
  await eventually(async () => assert.equal(await rows.count(), 90))
  await eventually(async () =>
    assert.deepEqual(await rows.first().locator('td.end').allTextContents(), ['0']),
  )
  await page.reload()
  await eventually(async () =>
    assert.equal(await page.getByRole('combobox', { name: 'Period' }).inputValue(), '90'),
  )
})

test('members see the usage too, and an error says what happened', async () => {
  const opened = await openAsMember(console, owner, 'member', '/usage')
  await opened.page.getByRole('figure', { name: 'Storage' }).waitFor()
  assertQuiet(opened.troubles)
  await opened.page.route('**/usage/history*', (route) =>
    route.fulfill({ status: 400, json: { message: 'No history today', requestId: 'abc' } }),
  )
  await opened.page.reload()
  await opened.page.getByRole('alert').getByText('No history today').waitFor()
  await opened.page.unroute('**/usage/history*')
  await opened.page.getByRole('button', { name: 'Try again' }).click()
  await opened.page.getByRole('figure', { name: 'Storage' }).waitFor()
  assertQuiet(troubles)
})

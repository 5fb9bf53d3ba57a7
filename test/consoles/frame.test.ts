import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath, putObject } from '#test/support/storage.ts'
import {
  assertQuiet,
  openAs,
  openAsMember,
  openAsOwner,
  openTab,
  type Page,
  startConsole,
} from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { system, address } = console

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
const rowLink = (page: Page, name: string) => page.getByRole('row', { name }).getByRole('link', { name })

test('keys alone lead to a row, open it, search, and show all keys', async () => {
  const { page, owner, troubles } = await openAsOwner(console)
  for (const name of ['aaa', 'bbb', 'ccc']) await createBucket(owner.api, name)
  await page.reload()
  await rowLink(page, 'aaa').waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  assert.equal(await focused(page), 'ccc', 'buckets are listed newest first')
  await page.keyboard.press('/')
  await page.keyboard.type('bb')
  await rowLink(page, 'ccc').waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '?search=bb')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await inspect(page, 'help')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ccc', level: 1 }).waitFor()
  assert.equal(await focused(page), 'ccc', 'the heading of the new screen has the focus')
  await page.goBack()
  await page.getByRole('heading', { name: 'Buckets', level: 1 }).waitFor()
  assertQuiet(troubles)
})

test('the palette finds screens, buckets and keys of objects, in older buckets as well', async () => {
  const { page, owner, troubles } = await openAsOwner(console, '/keys')
  const id = await createBucket(owner.api, 'harbour')
  await putObject(owner.api, objectPath(id, 'boats/at-dawn.txt'), 'Boats')
  for (let n = 0; n < 12; n++) await createBucket(owner.api, `newer-${n}`)
  const palette = page.getByRole('dialog', { name: 'Search or jump to…' })

  await page.keyboard.press('Control+k')
  await page.keyboard.type('bill')
  await palette.getByRole('option', { name: 'Billing' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  await page.keyboard.type('dawn')
  await palette.getByRole('option', { name: 'boats/at-dawn.txt' }).waitFor()
  await inspect(page, 'palette')
  await page.getByRole('combobox').fill('harb')
  await palette.getByRole('option', { name: 'harbour' }).click()
  await page.getByRole('heading', { name: 'harbour', level: 1 }).waitFor()
  assertQuiet(troubles)
})

test('the palette acts: on this screen, on others, and for the frame', async () => {
  const { page, owner, troubles } = await openAsOwner(console, '/usage')
  const palette = page.getByRole('dialog', { name: 'Search or jump to…' })
  const ask = async (text: string, answer: string) => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(text)
    await palette.getByRole('option', { name: answer, selected: true }).waitFor()
  }
  await ask('new b', 'New bucket')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'New bucket' })
  await form.getByLabel('Name').fill('by-palette')
  assert.equal(page.url(), address('/buckets'))
  await form.getByRole('button', { name: 'Create bucket' }).click()
  await page.getByRole('heading', { name: 'by-palette', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  // Waited for before the key, because the browser has to be told first.
  const chooser = page.waitForEvent('filechooser')
  await ask('upl', 'Upload')
  await page.keyboard.press('Enter')
  assert.ok((await chooser).isMultiple())
  await ask('help', 'Guides')
  await page.keyboard.press('Escape')
  await ask('dark', 'Dark')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  await ask('shortcuts', 'Keyboard shortcuts')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await ask('guides', 'Guides')
  const [guides] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
  await guides.waitForURL('**/docs/guides')
  await guides.close()

  const { page: theirs } = await openAsMember(console, owner, 'member')
  await theirs.keyboard.press('Control+k')
  await theirs.keyboard.type('new ')
  await theirs.getByRole('option', { name: 'New key' }).waitFor()
  assert.equal(await theirs.getByRole('option', { name: 'New bucket' }).count(), 0)
  assertQuiet(troubles)
})

test('the account menu leads to help, and says which version this is', async () => {
  const { page, troubles } = await openAsOwner(console)
  await page.getByRole('button', { name: 'Account' }).click()
  for (const [name, href] of [
    ['Guides', '/docs/guides'],
    ['API reference', '/docs'],
  ] as const)
    assert.equal(await page.getByRole('menuitem', { name }).getAttribute('href'), href)
  await page.getByText(/^Trivet \d+\.\d+\.\d+$/).waitFor()
  await inspect(page, 'account-menu-help')
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assertQuiet(troubles)
})

test('a chosen theme is there at once after a reload, and System follows the browser again', async () => {
  const { page, troubles } = await openAsOwner(console)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitemradio', { name }).click()
  }
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  await choose('Dark')
  const dark = await background()
  assert.notEqual(dark, light)
  await page.reload()
  assert.equal(await background(), dark)
  await choose('System')
  assert.equal(await background(), light)
  assertQuiet(troubles)
})

test('a lost connection is said, and what changed meanwhile is there when it comes back', async () => {
  const { page, owner } = await openAsOwner(console)
  await page.getByRole('button', { name: 'New bucket' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('link', { name: 'Buckets' }).click()
  await page.getByText('The server cannot be reached').first().waitFor()
  await createBucket(owner.api, 'made-meanwhile')
  await page.context().setOffline(false)
  await rowLink(page, 'made-meanwhile').waitFor()
  await page.getByText('The server cannot be reached').waitFor({ state: 'detached' })
})

test('what others change appears in every tab, and what is being typed stays', async () => {
  const { page, owner, troubles } = await openAsOwner(console)
  const tab = await openTab(page, address())
  await tab.getByRole('button', { name: 'New bucket' }).waitFor()
  await createBucket(owner.api, 'first')
  for (const one of [page, tab]) await rowLink(one, 'first').waitFor()
  await page.getByRole('button', { name: 'New bucket' }).click()
  await page.getByLabel('Name').fill('half-typ')
  const id = await createBucket(owner.api, 'second')
  await putObject(owner.api, objectPath(id, 'a.txt'), 'x'.repeat(2048))
  await page.getByRole('row', { name: 'second' }).getByText('2 KiB').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'half-typ'))

  await page.close()
  await createBucket(owner.api, 'third')
  await rowLink(tab, 'third').waitFor()
  assertQuiet(troubles)
})

test('a form that is sent twice creates one bucket, and a name in use is said at the field', async () => {
  const { page, owner, troubles } = await openAsOwner(console)
  const dialog = page.getByRole('dialog', { name: 'New bucket' })
  await page.getByRole('button', { name: 'New bucket' }).click()
  await dialog.getByLabel('Name').fill('only-once')
  await dialog.getByLabel('Visibility').selectOption('public')
  await dialog.getByLabel('Versioning').uncheck()
  await dialog.getByLabel('Quota').fill('1.5')
  await inspect(page, 'new-bucket')
  await dialog.getByRole('button', { name: 'Create bucket' }).dblclick()
  await page.getByRole('heading', { name: 'only-once', level: 1 }).waitFor()
  const { body } = await owner.api('GET /buckets')
  const [{ name, visibility, versioning_enabled, storage_quota_bytes }, ...others] = body
  assert.deepEqual(others, [])
  assert.deepEqual(
    { name, visibility, versioning_enabled, storage_quota_bytes },
    {
      name: 'only-once',
      visibility: 'public',
      versioning_enabled: false,
      storage_quota_bytes: 1.5 * 2 ** 30,
    },
  )
  assertQuiet(troubles)

  await page.getByRole('link', { name: 'Buckets' }).first().click()
  await page.getByRole('button', { name: 'New bucket' }).click()
  await dialog.getByLabel('Name').fill('only-once')
  await dialog.getByLabel('Name').press('Enter')
  await dialog.locator('.field-error').waitFor()
  await eventually(async () =>
    assert.equal(await dialog.getByLabel('Name').getAttribute('aria-invalid'), 'true'),
  )
  await dialog.getByLabel('Name').fill('x')
  await dialog.getByLabel('Name').press('Enter')
  await dialog.getByText('at least 3').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('leaving what was typed asks first: by Escape, and by the back button', async () => {
  const { page, troubles } = await openAsOwner(console, '/keys')
  await page.getByRole('link', { name: 'Buckets' }).click()
  await page.getByRole('button', { name: 'New bucket' }).click()
  await page.getByLabel('Name').fill('precious')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })

  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'precious'))
  await page.evaluate('history.back()')
  await question.waitFor()
  await inspect(page, 'question')
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(page.url(), address('/buckets'))
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'precious'))
  await page.evaluate('history.back()')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  assertQuiet(troubles)
})

test('names with markup are shown as they are', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const { email, api } = await storageOwner(system, { fullName: hostile, organizationName: `${hostile} Org` })
  await createBucket(api, 'a.b-c')
  const { page, troubles } = await openAs(console, email, `/buckets?search=${encodeURIComponent(hostile)}`)
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Search buckets').inputValue(), hostile))
  await inspect(page, 'nothing-found')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rowLink(page, 'a.b-c').waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText(`owner · ${hostile} Org`).waitFor()
  await eventually(async () => assert.equal(await page.locator('img').count(), 0))
  await page.goto(address('/buckets/%3Cscript%3E/x'))
  await page.getByRole('alert').waitFor()
  await page.goto(address('/nothing/here/at/all'))
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  assertQuiet(troubles, [400, 404])
})

test('on a phone the navigation opens by Menu, and closes after a choice', async () => {
  const { page, owner, troubles } = await openAsOwner(console)
  await createBucket(owner.api, `long-${'name-'.repeat(30)}x`)
  await createBucket(owner.api, 'photos', { visibility: 'public' })
  await rowLink(page, 'photos').waitFor()
  await inspect(page, 'buckets')
  await page.setViewportSize({ width: 360, height: 740 })
  const nav = page.getByRole('navigation', { name: 'Main' })
  await eventually(async () => assert.equal(await nav.isVisible(), false))
  await page.getByRole('button', { name: 'Menu' }).click()
  await nav.getByRole('link', { name: 'Keys' }).waitFor()
  await inspect(page, 'navigation')
  await nav.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  await eventually(async () => assert.equal(await nav.isVisible(), false))
  assertQuiet(troubles)
})

test('an organization without buckets is told what they are for, and the list fills by itself', async () => {
  const { page, owner, troubles } = await openAsOwner(console)
  await page.getByRole('heading', { name: 'No buckets yet' }).waitFor()
  await inspect(page, 'buckets-empty')
  const id = await createBucket(owner.api, 'appears')
  await rowLink(page, 'appears').waitFor()
  await owner.api(`DELETE /buckets/${id}`)
  await eventually(async () => assert.equal(await rowLink(page, 'appears').count(), 0))
  assertQuiet(troubles)
})

test('a fault of the server is told with a reference for support, and can be tried again', async () => {
  const { page } = await openAsOwner(console)
  await page.route(`${console.root}/buckets`, (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': 'req-1' },
      json: { message: 'Something broke', code: 'internal_error' },
    }),
  )
  await page.reload()
  const alert = page.getByRole('alert')
  await alert.getByText('Reference for support: req-1').waitFor()
  await inspect(page, 'error')
  await page.unroute(`${console.root}/buckets`)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No buckets yet' }).waitFor()
})

test('what is not there leads back to the list, and keeps the id of its request for those who ask', async () => {
  const { page } = await openAsOwner(console, `/buckets/${crypto.randomUUID()}`)
  const alert = page.getByRole('alert')
  await alert.getByText('No bucket with this id').waitFor()
  assert.equal(await alert.getByRole('button', { name: 'Try again' }).count(), 0)
  await inspect(page, 'bucket-not-found')
  await alert.getByText('Details').click()
  await alert.getByText(/^Request [0-9a-f-]{36}$/).waitFor()
  await alert.getByRole('link', { name: 'Back to buckets' }).click()
  await page.getByRole('heading', { name: 'Buckets', level: 1 }).waitFor()
})

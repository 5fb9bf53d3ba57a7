import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet, openAsMember, openAsOwner, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { system } = console
const { page, owner, troubles } = await openAsOwner(console, '/keys')
await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
const list = async () => (await owner.api('GET /auth/api-keys')).body as { id: string; label: string }[]
const row = (name: string) => page.getByRole('row', { name })

test('without keys the screen says what they are for, and offers the first', async () => {
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'New key' }).count(), 1))
  await inspect(page, 'keys-empty')
})

test('a new key shows its secret once, which copies and works, with snippets for this server', async () => {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Label is required').waitFor()
  await dialog.getByLabel('Label').fill('Nightly backup')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('It is shown only this once').waitFor()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  const key = (await page.evaluate('navigator.clipboard.readText()')) as string
  const { status } = await system.storage.with({ 'x-api-key': key })('GET /auth/me')
  assert.equal(status, 200)
  const [accessKey, secretKey] = key.split('.') as [string, string]
  for (const name of ['curl', 'aws', 'rclone', 'restic', 's3cmd', 'SDK']) {
    await dialog.getByRole('tab', { name, exact: true }).click()
    const text = (await dialog.getByRole('tabpanel').textContent()) ?? ''
    assert.ok(text.includes(accessKey) && text.includes(secretKey), `${name} has the key`)
    const address = name === 'curl' || name === 'SDK' ? system.urls.storage : system.urls.s3
    assert.ok(text.includes(new URL(address as string).host), `${name} has the address`)
  }
  await dialog.getByRole('tab', { name: 'aws' }).click()
  await inspect(page, 'keys-new')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await row('Nightly backup').waitFor()
  assert.ok(!(await page.content()).includes(secretKey), 'the secret is gone')
  await page.reload()
  await row('Nightly backup').waitFor()
  assert.ok(!(await page.content()).includes(secretKey))
})

test('the list tells when a key was last used', async () => {
  const { key } = (await owner.api('POST /auth/api-keys', { body: { label: 'Unused' } })).body
  await row('Unused').getByText('Never').waitFor()
  await system.storage.with({ 'x-api-key': key })('GET /buckets')
  await page.reload()
  await row('Unused').waitFor()
  await eventually(async () => assert.equal(await row('Unused').getByText('Never').count(), 0))
})

test('revoking asks first, names what is lost, and takes effect at once', async () => {
  const parent = (await owner.api('POST /auth/api-keys', { body: { label: 'Parent' } })).body
  const asParent = system.storage.with({ 'x-api-key': parent.key })
  await asParent('POST /auth/api-keys', { body: { label: 'Child' } })
  await row('Child').getByText('Parent').waitFor()
  await page.getByRole('button', { name: 'Actions for Parent' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Parent?' })
  await dialog.getByText('1 key made with it').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await asParent('GET /auth/me')).status, 200)
  await page.getByRole('button', { name: 'Actions for Parent' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await row('Child').waitFor({ state: 'detached' })
  assert.equal((await asParent('GET /auth/me')).status, 401)
})

test('keys that another client makes and revokes appear and go without a reload', async () => {
  const hostile = `<img src=x onerror="document.title='run'">"'`
  const { id } = (await owner.api('POST /auth/api-keys', { body: { label: hostile } })).body
  await page.getByText(hostile, { exact: true }).waitFor()
  assert.notEqual(await page.title(), 'run')
  await inspect(page, 'keys')
  await owner.api(`DELETE /auth/api-keys/${id}`)
  await page.getByText(hostile, { exact: true }).waitFor({ state: 'detached' })
})

test('search is in the address, and finds nothing with a way back', async () => {
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('no such key')
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
  assert.match(page.url(), /search=no/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row('Nightly backup').waitFor()
})

test('members have keys of their own', async () => {
  const opened = await openAsMember(console, owner, 'member', '/keys')
  await opened.page.getByRole('button', { name: 'New key' }).click()
  await opened.page.getByLabel('Label').fill('Mine')
  await opened.page.getByRole('button', { name: 'Create key' }).click()
  await opened.page.getByRole('button', { name: 'Done' }).click()
  await opened.page.getByRole('row', { name: 'Mine' }).waitFor()
  assert.ok(!(await list()).some(({ label }) => label === 'Mine'))
  await eventually(async () => assertQuiet(opened.troubles))
  assertQuiet(troubles)
})

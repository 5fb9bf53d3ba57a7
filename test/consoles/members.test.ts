import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { password } from '#test/support/factories.ts'
import { assertQuiet, openAsMember, openAsOwner, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { system } = console
const { page, owner, troubles } = await openAsOwner(console, '/members')
type Member = { id: string; email: string; full_name: string; role: string }
const members = async () => (await owner.api('GET /members')).body as Member[]
const row = (name: string) => page.getByRole('row', { name })

test('the owner invites a member, who can sign in', async () => {
  await row(owner.user.full_name).getByText('Owner', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Invite member' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite member' })
  await dialog.getByLabel('Full name').fill('Ada Lovelace')
  await dialog.getByLabel('Email').fill(owner.email)
  await dialog.getByLabel('Password').fill('short')
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await dialog.locator('.field-error').getByText(/8/).waitFor()
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await dialog.getByText(/already in use/).waitFor()
  await inspect(page, 'members-invite')
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByLabel('Role').selectOption('Admin')
  await dialog.getByRole('button', { name: 'Add member' }).click()
  await row('Ada Lovelace').getByText('Admin', { exact: true }).waitFor()
  const { status, body } = await system.storage('POST /auth/login', {
    body: { email: 'ada@example.com', password },
  })
  assert.equal(status, 200)
  assert.equal(body.user.role, 'admin')
})

test('a role is changed at once, and the change can be undone', async () => {
  const roleOf = async () => (await members()).find(({ email }) => email === 'ada@example.com')?.role
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Make member' }).click()
  await row('Ada Lovelace').getByText('Member', { exact: true }).waitFor()
  assert.equal(await roleOf(), 'member')
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('Ada Lovelace').getByText('Admin', { exact: true }).waitFor()
  assert.equal(await roleOf(), 'admin')
})

test('people whom another client adds appear without a reload, with their names as they are', async () => {
  const hostile = `<script>document.title='run'</script> "O'Neill"`
  const body = { fullName: hostile, email: 'hostile@example.com', password }
  await owner.api('POST /members', { body })
  await page.getByText(hostile, { exact: true }).waitFor()
  assert.notEqual(await page.title(), 'run')
  await inspect(page, 'members')
})

test('removing asks first, and ends the sessions of the member', async () => {
  const token = (await system.storage('POST /auth/login', { body: { email: 'ada@example.com', password } }))
    .body.token as string
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Ada Lovelace?' })
  await dialog.getByText('ada@example.com').waitFor()
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  await row('Ada Lovelace').waitFor({ state: 'detached' })
  assert.equal((await system.storage.bearer(token)('GET /auth/me')).status, 401)
})

test('nobody can be offered to change or remove the owner', async () => {
  await eventually(async () =>
    assert.equal(await page.getByRole('button', { name: `Actions for ${owner.user.full_name}` }).count(), 0),
  )
})

test('a changed role of one’s own is noticed on coming back to the page, and after a refusal', async () => {
  const { member, page: theirs, ...opened } = await openAsMember(console, owner, 'admin', '/buckets')
  const become = (role: string) => owner.api(`PATCH /members/${member.id}`, { body: { role } })
  const comeBack = () => theirs.evaluate("dispatchEvent(new Event('focus'))")
  const auditLog = theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' })
  await auditLog.waitFor()
  await become('member')
  await comeBack()
  await auditLog.waitFor({ state: 'detached' })
  await become('admin')
  await comeBack()
  await auditLog.waitFor()

  await theirs.getByRole('button', { name: 'New bucket' }).first().click()
  const dialog = theirs.getByRole('dialog', { name: 'New bucket' })
  await dialog.getByLabel('Name').fill('too-late')
  await become('member')
  await dialog.getByRole('button', { name: 'Create bucket' }).click()
  await auditLog.waitFor({ state: 'detached' })
  assertQuiet(opened.troubles, [403])
  await theirs.close()
})

test('admins and members have no link to members, and the address says who may open it', async () => {
  for (const role of ['admin', 'member'] as const) {
    const opened = await openAsMember(console, owner, role, '/members')
    await opened.page.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
    await opened.page.getByText('Only an owner can').waitFor()
    const main = opened.page.getByRole('navigation', { name: 'Main' })
    await eventually(async () => assert.equal(await main.getByRole('link', { name: 'Members' }).count(), 0))
    await eventually(async () =>
      assert.equal(await main.getByRole('link', { name: 'Billing' }).count(), role === 'admin' ? 1 : 0),
    )
    assertQuiet(opened.troubles)
  }
  assertQuiet(troubles, [400, 409])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually, until } from '#test/support/eventually.ts'
import { createBucket } from '#test/support/storage.ts'
import { assertQuiet, openAsMember, openAsOwner, startConsole } from './support/console.ts'
import { delayReads } from './support/delayed.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { owner, page, troubles } = await openAsOwner(console)
const { api } = owner

const bucketOf = (name: string) => createBucket(api, name)
const open = (bucket: string, tab: string) => page.goto(console.address(`/buckets/${bucket}/${tab}`))
const put = (bucket: string, key: string) =>
  api(`PUT /buckets/${bucket}/objects/${encodeURIComponent(key)}`, { raw: Buffer.from('text') })
const remove = (bucket: string, key: string) =>
  api(`DELETE /buckets/${bucket}/objects/${encodeURIComponent(key)}`)
const choose = async (on: Page, row: string, item: string) => {
  await on.getByRole('button', { name: `Actions for ${row}`, exact: true }).click()
  await on.getByRole('menuitem', { name: item }).click()
}

test('settings of a bucket are changed in a form, and a bucket is deleted after a question', async () => {
  const bucket = await bucketOf('settled')
  await open(bucket, 'settings')
  await page.getByLabel('Visibility').selectOption('Public')
  await page.getByLabel('Versioning').uncheck()
  await page.getByLabel('Quota', { exact: true }).fill('2')
  await inspect(page, 'bucket-settings')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved').waitFor()
  const { body } = await api(`GET /buckets/${bucket}`)
  assert.deepEqual(
    [body.visibility, body.versioning_enabled, body.storage_quota_bytes > 0],
    ['public', false, true],
  )
  await put(bucket, 'full')
  await page.getByRole('button', { name: 'Delete bucket' }).click()
  const question = page.getByRole('dialog', { name: 'Delete bucket settled?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await api(`GET /buckets/${bucket}`)).status, 200)
  await page.getByRole('button', { name: 'Delete bucket' }).click()
  await question.getByRole('button', { name: 'Delete bucket' }).click()
  await page.getByRole('alert').waitFor()
  await remove(bucket, 'full')
  await page.getByRole('button', { name: 'Delete bucket' }).click()
  await question.getByRole('button', { name: 'Delete bucket' }).click()
  await page.getByRole('heading', { name: 'Buckets', level: 1 }).waitFor()
  assert.equal((await api(`GET /buckets/${bucket}`)).status, 404)
})

test('the trash shows what was deleted and when it goes for good; recover and delete forever', async () => {
  const bucket = await bucketOf('with-trash')
  await open(bucket, 'trash')
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  const hostile = '<img src=x onerror=alert(1)>/a b?c#d%e.txt'
  for (const key of ['first.txt', hostile, 'third.txt']) await put(bucket, key)
  for (const key of ['first.txt', hostile, 'third.txt']) await remove(bucket, key)
  // It appears by itself.
  const table = page.getByRole('table', { name: 'Deleted objects' })
  await table.getByText('third.txt').waitFor()
  const row = table.getByRole('row', { name: /first\.txt/ })
  const { body } = await api(`GET /buckets/${bucket}/trash?search=first`)
  await row.locator(`time[datetime="${body.objects[0].expires_at}"]`).waitFor()
  await inspect(page, 'bucket-trash')
  await choose(page, 'first.txt', 'Recover')
  await page.getByText('first.txt recovered').waitFor()
  assert.equal((await api(`GET /buckets/${bucket}/objects/first.txt`)).status, 200)
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(
    'it is deleted again',
    async () => (await api(`GET /buckets/${bucket}/objects/first.txt`)).status === 404,
  )
  await choose(page, hostile, 'Delete forever')
  const question = page.getByRole('dialog', { name: `Delete ${hostile} forever?` })
  await question.getByRole('button', { name: 'Delete forever' }).click()
  await question.waitFor({ state: 'detached' })
  await until('it is gone', async () => (await api(`GET /buckets/${bucket}/trash`)).body.objects.length === 2)
})

test('delete forever spares an object that has taken the key since', async () => {
  const bucket = await bucketOf('taken')
  await put(bucket, 'key')
  await remove(bucket, 'key')
  await put(bucket, 'key')
  await open(bucket, 'trash')
  await page.getByRole('button', { name: 'Actions for key', exact: true }).click()
  await eventually(async () => assert.equal(await page.getByRole('menuitem', { name: 'Recover' }).count(), 0))
  await page.getByRole('menuitem', { name: 'Delete forever' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete forever' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  assert.equal((await api(`GET /buckets/${bucket}/objects/key`)).status, 200)
})

test('lifecycle rules are made, turned off, changed and deleted, with a way back', async () => {
  const bucket = await bucketOf('ruled')
  await open(bucket, 'lifecycle')
  const rules = async () => (await api(`GET /buckets/${bucket}/lifecycle`)).body.rules
  await page.getByRole('button', { name: 'New rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'New rule' })
  await dialog.getByLabel('Name').fill('drafts')
  await dialog.getByLabel('Keys that begin with').fill('drafts/')
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Delete objects after').fill('0')
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await dialog.getByText(/must be/i).waitFor()
  await inspect(page, 'bucket-lifecycle-dialog')
  await dialog.getByLabel('Delete objects after').fill('90')
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await dialog.waitFor({ state: 'detached' })
  const made = (await rules()).find(({ id }: { id: string }) => id === 'drafts')
  assert.deepEqual([made.prefix, made.expiration_days, made.enabled], ['drafts/', 90, true])
  await page.getByText('Deletes objects 90 days after they were stored').waitFor()
  await inspect(page, 'bucket-lifecycle')
  await choose(page, 'drafts', 'Turn off')
  await page.getByText('Rule drafts turned off').waitFor()
  assert.equal((await rules()).find(({ id }: { id: string }) => id === 'drafts').enabled, false)
  await choose(page, 'drafts', 'Delete')
  await page.getByText('Rule drafts deleted').waitFor()
  assert.equal((await rules()).length, 1)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await until('it is back', async () => (await rules()).length === 2)
})

test('a policy is written as sentences and as JSON, and a simulation shows what decided', async () => {
  const bucket = await bucketOf('guarded')
  await open(bucket, 'policy')
  const policy = async () => (await api(`GET /buckets/${bucket}/policy`)).body
  await page.getByRole('button', { name: 'New statement' }).click()
  const dialog = page.getByRole('dialog', { name: 'New statement' })
  await dialog.getByLabel('Deny').check()
  await dialog.getByLabel('Who').selectOption('Members')
  await dialog.getByLabel('Action').selectOption('object.read')
  await dialog.getByLabel('Pattern').fill('secret/*')
  await dialog.getByText('Members may not read objects that match secret/*').waitFor()
  await inspect(page, 'bucket-policy-dialog')
  await dialog.getByRole('button', { name: 'Add statement' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await policy())[0].resourceId, 'secret/*')

  await page.getByLabel('Subject').selectOption('Members')
  await page.getByLabel('Action').selectOption('object.read')
  await page.getByLabel('Object').fill('secret/plan.txt')
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByText('Denied').waitFor()
  const decisive = page.locator('[aria-current="true"]').filter({ hasText: 'Decided by this statement' })
  await decisive.getByText('Members may not read objects').waitFor()
  await inspect(page, 'bucket-policy')
  await page.getByLabel('Object').fill('other.txt')
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByText('Allowed').waitFor()
  await eventually(async () => assert.equal(await page.getByText('Decided by this statement').count(), 0))

  await page.getByRole('button', { name: 'JSON' }).click()
  const text = page.getByLabel('Statements', { exact: true })
  await text.fill('[{')
  await page.getByText(/This is not JSON yet/).waitFor()
  await page.getByRole('button', { name: 'Save policy' }).click()
  assert.equal((await policy()).length, 1, 'nothing was saved')
  const [statement] = await policy()
  await text.fill(JSON.stringify([{ ...statement, effect: 'perhaps' }]))
  await page.getByText('Statement 1: effect must be one of allow, deny').first().waitFor()
  await inspect(page, 'bucket-policy-json')
  await text.fill(JSON.stringify([statement, { ...statement, effect: 'allow', resourceId: 'open/*' }]))
  await page.getByText('2 statements, all of them valid').waitFor()
  await page.getByText('What the policy in the editor would decide if you saved it').waitFor()
  await page.getByLabel('Object').fill('open/day.txt')
  await page.getByRole('button', { name: 'Simulate' }).click()
  const drafted = page.locator('[aria-current="true"]').filter({ hasText: 'Decided by this statement' })
  await drafted.getByText('Members may read objects that match open/*').waitFor()
  await page.getByText('by statement 2').waitFor()
  await inspect(page, 'bucket-policy-draft')
  assert.equal((await policy()).length, 1, 'what was tried is not saved')
  await page.getByRole('button', { name: 'Save policy' }).click()
  await until('it is saved', async () => (await policy()).length === 2)
  await page.getByRole('button', { name: 'Form' }).click()
  await page.getByRole('button', { name: 'Delete statement 2' }).click()
  await page.getByText('Statement deleted').waitFor()
  assert.equal((await policy()).length, 1)
})

test('an edit applies to the statement or rule that was opened, and is refused if somebody else has deleted it', async () => {
  const bucket = await bucketOf('shared-rules')
  const policy = async () => (await api(`GET /buckets/${bucket}/policy`)).body
  const replace = (statements: object[]) => api(`PUT /buckets/${bucket}/policy`, { body: { statements } })
  const about = { action: 'object.read', resourceType: 'object', subjectType: 'role', subjectId: 'member' }
  const denied = { ...about, effect: 'deny', resourceId: 'secret/*' }
  const allowed = { ...about, effect: 'allow', resourceId: 'open/*' }
  await replace([denied, allowed])
  await open(bucket, 'policy')
  const shown = page.getByRole('list', { name: 'Statements' }).getByRole('listitem')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit statement 2' }).click()
  await dialog.getByLabel('Pattern').fill('public/*')
  await replace([allowed])
  await until('the other one is gone', async () => (await shown.count()) === 1)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  const left = (await policy()).map((one: typeof denied) => [one.effect, one.resourceId])
  assert.deepEqual(left, [['allow', 'public/*']])

  await page.getByRole('button', { name: 'Edit statement 1' }).click()
  await dialog.getByLabel('Pattern').fill('late/*')
  await replace([denied])
  await shown.getByText('secret/*').waitFor()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByText('Somebody else has changed or deleted this statement in the meantime.').waitFor()
  assert.equal((await policy())[0].resourceId, 'secret/*')

  const rules = async () => (await api(`GET /buckets/${bucket}/lifecycle`)).body.rules
  const { page: second } = await openAsMember(console, owner, 'admin', `/buckets/${bucket}/lifecycle`)
  const [{ id }] = await rules()
  await choose(second, id, 'Edit')
  await second.getByRole('dialog').getByLabel('Keys that begin with').fill('late/')
  await api(`PUT /buckets/${bucket}/lifecycle`, { body: { rules: [] } })
  await second.getByText('Nothing goes by itself').waitFor()
  await second.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
  await second.getByText('Somebody else has deleted this rule in the meantime.').waitFor()
  assert.deepEqual(await rules(), [])
})

/** A page that learns what others save only after it was refused. */
const openLate = async (bucket: string, tab: string) => {
  const { page: late } = await openAsMember(console, owner, 'admin', `/buckets/${bucket}/${tab}`)
  const delay = async () => {
    const release = await delayReads(late, `**/buckets/*/${tab}`)
    late.on('response', (response) => {
      if (response.status() === 412) release()
    })
  }
  return { late, delay }
}

test('what two people change at the same moment is both saved', async () => {
  const bucket = await bucketOf('same-moment')
  const about = { action: 'object.read', resourceType: 'object', subjectType: 'role', subjectId: 'member' }
  const denied = { ...about, effect: 'deny', resourceId: 'first/*' }
  const allowed = { ...about, effect: 'allow', resourceId: 'open/*' }
  const replace = (statements: object[]) => api(`PUT /buckets/${bucket}/policy`, { body: { statements } })
  const patterns = async () =>
    (await api(`GET /buckets/${bucket}/policy`)).body.map((one: typeof denied) => one.resourceId)
  await replace([denied, allowed])
  const policy = await openLate(bucket, 'policy')
  await policy.late.getByRole('button', { name: 'New statement' }).click()
  const dialog = policy.late.getByRole('dialog')
  await dialog.getByLabel('Pattern').fill('mine/*')
  await policy.delay()
  await replace([denied, allowed, { ...allowed, resourceId: 'theirs/*' }])
  await dialog.getByRole('button', { name: 'Add statement' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(await patterns(), ['first/*', 'open/*', 'theirs/*', 'mine/*'])
  await policy.late.getByRole('button', { name: 'Delete statement 1' }).click()
  await until('it is gone', async () => !(await patterns()).includes('first/*'))
  await replace([allowed])
  await policy.late.getByRole('button', { name: 'Undo' }).click()
  await until('only that is undone', async () => (await patterns()).join() === 'first/*,open/*')

  const rules = async () =>
    (await api(`GET /buckets/${bucket}/lifecycle`)).body.rules.map(({ id }: { id: string }) => id)
  const lifecycle = await openLate(bucket, 'lifecycle')
  const [first] = await rules()
  await lifecycle.late.getByRole('button', { name: `Actions for ${first}` }).click()
  await lifecycle.delay()
  const theirs = { id: 'theirs', expiration_days: 9 }
  const kept = (await api(`GET /buckets/${bucket}/lifecycle`)).body.rules
  await api(`PUT /buckets/${bucket}/lifecycle`, { body: { rules: [...kept, theirs] } })
  await lifecycle.late.getByRole('menuitem', { name: 'Delete' }).click()
  await until('theirs is left', async () => (await rules()).join() === 'theirs')
  await lifecycle.late.getByRole('button', { name: 'Undo' }).click()
  await until('both are there', async () => (await rules()).join() === `${first},theirs`)
})

test('settings that are saved before the page knows of another change do not undo it', async () => {
  const bucket = await bucketOf('closed-meanwhile')
  await api(`PATCH /buckets/${bucket}`, { body: { visibility: 'public' } })
  const { page: late } = await openAsMember(console, owner, 'admin', `/buckets/${bucket}/settings`)
  await late.getByLabel('Versioning').check()
  const release = await delayReads(late, `**/buckets/${bucket}`)
  await api(`PATCH /buckets/${bucket}`, { body: { visibility: 'private' } })
  const answer = late.waitForResponse((response) => response.request().method() === 'PATCH')
  await late.getByRole('button', { name: 'Save changes' }).click()
  assert.equal((await answer).status(), 200)
  release()
  await late.getByText('Changes saved').waitFor()
  const { visibility, versioning_enabled } = (await api(`GET /buckets/${bucket}`)).body
  assert.deepEqual([visibility, versioning_enabled], ['private', true])
})

test('a policy that is typed as JSON does not replace what others have saved unless one says so', async () => {
  const bucket = await bucketOf('typed')
  const about = { action: 'object.read', resourceType: 'object', subjectType: 'role', subjectId: 'member' }
  const statement = (resourceId: string) => ({ ...about, effect: 'deny', resourceId })
  const replace = (...names: string[]) =>
    api(`PUT /buckets/${bucket}/policy`, { body: { statements: names.map(statement) } })
  const patterns = async () =>
    (await api(`GET /buckets/${bucket}/policy`)).body.map(
      (one: typeof about & { resourceId: string }) => one.resourceId,
    )
  await replace('first/*')
  const { page: typing } = await openAsMember(console, owner, 'admin', `/buckets/${bucket}/policy`)
  await typing.getByRole('button', { name: 'JSON' }).click()
  const text = typing.getByLabel('Statements', { exact: true })
  await replace('second/*')
  await until('what nobody has touched follows', async () => (await text.inputValue()).includes('second/*'))
  await text.fill(JSON.stringify([statement('second/*'), statement('mine/*')]))
  await replace('third/*')
  const save = typing.getByRole('button', { name: 'Save policy' })
  await save.click()
  await typing.getByText('Somebody else has changed the policy since').waitFor()
  assert.deepEqual(await patterns(), ['third/*'])
  assert.ok((await text.inputValue()).includes('mine/*'), 'what was typed stays')
  await save.click()
  await typing.getByText('Policy saved').waitFor()
  assert.deepEqual(await patterns(), ['second/*', 'mine/*'])
})

test('a member finds neither policy nor settings, and may recover but not delete forever', async () => {
  const bucket = await bucketOf('of-members')
  await put(bucket, 'mine.txt')
  await remove(bucket, 'mine.txt')
  const opened = await openAsMember(console, owner, 'member', `/buckets/${bucket}/trash`)
  const on = opened.page
  await on.getByRole('button', { name: 'Actions for mine.txt' }).click()
  await on.getByRole('menuitem', { name: 'Recover' }).waitFor()
  await eventually(async () =>
    assert.equal(await on.getByRole('menuitem', { name: 'Delete forever' }).count(), 0),
  )
  await on.keyboard.press('Escape')
  for (const tab of ['Policy', 'Lifecycle', 'Settings'])
    await eventually(async () => assert.equal(await on.getByRole('tab', { name: tab }).count(), 0))
  await on.goto(console.address(`/buckets/${bucket}/policy`))
  await on.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
  assertQuiet(opened.troubles)
})

test('an admin simulates for people and keys by name', async () => {
  const bucket = await bucketOf('of-admins')
  const opened = await openAsMember(console, owner, 'admin', `/buckets/${bucket}/policy`)
  const on = opened.page
  const subject = on.getByLabel('Subject')
  await subject.waitFor()
  const people = on.locator('optgroup[label="People"] option')
  await until('people are listed', async () => (await people.count()) > 1)
  await subject.selectOption({ label: (await people.last().textContent())! })
  await on.getByRole('button', { name: 'Simulate' }).click()
  await on.getByText('Allowed').waitFor()
  assertQuiet(opened.troubles)
})

test('nothing but what was provoked shows in the log of the browser', () => {
  assertQuiet(troubles, [400, 404, 409, 412])
})

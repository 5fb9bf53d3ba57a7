import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { publisher } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'

const system = await boot()
const { publishing } = system

const trivet = operatorOf(system)

test('operator commands suspend, verify and appoint publishing users while the service runs', async () => {
  const mira = await publisher(system)
  const profile = () => publishing(`GET /api/users/${mira.handle}`)
  assert.equal((await profile()).status, 200)
  assert.equal((await trivet('publishing', 'suspend', '--handle', mira.handle)).code, 0)
  // A command is another process: the server learns of it by a signal.
  await eventually(async () => assert.equal((await profile()).status, 403))
  assert.equal((await trivet('publishing', 'unsuspend', '--handle', `@${mira.handle}`)).code, 0)
  assert.equal((await trivet('publishing', 'verify', '--handle', mira.handle)).code, 0)
  await eventually(async () => assert.equal((await profile()).body.data.is_verified, true))
  assert.equal((await trivet('publishing', 'admin', '--handle', mira.handle)).code, 0)
  await eventually(async () =>
    assert.equal((await mira.api(`POST /api/admin/users/${mira.handle}/verify`)).status, 200),
  )
  const undone = await trivet('publishing', 'unverify', '--handle', mira.handle)
  assert.deepEqual(undone, { code: 0, text: `@${mira.handle} is no longer verified.\n` })
  await eventually(async () => assert.equal((await profile()).body.data.is_verified, false))
  assert.equal((await trivet('publishing', 'unadmin', '--handle', mira.handle)).code, 0)
  await eventually(async () =>
    assert.equal((await mira.api(`POST /api/admin/users/${mira.handle}/verify`)).status, 403),
  )
  assert.equal(
    (await publishing(`POST /api/admin/users/${mira.handle}/unverify`)).status,
    404,
    'only the operator can take a decision back',
  )
  const unknown = await trivet('publishing', 'verify', '--handle', 'no_such_one')
  assert.equal(unknown.code, 1)
  assert.match(unknown.text, /User not found/)
})

test('the operator lists publishing accounts in pages, filtered, and as JSON', async () => {
  const { handle } = await publisher(system)
  await trivet('publishing', 'suspend', '--handle', handle)
  const found = await trivet('publishing', 'accounts', '--search', `@${handle}`)
  assert.match(found.text, new RegExp(`^HANDLE +NAME +EMAIL .*\n@${handle} .* suspended\n1 in all\\.\n$`))
  const { total } = JSON.parse((await trivet('publishing', 'accounts', '--json')).text)
  const page = await trivet('publishing', 'accounts', '--limit', '1')
  assert.match(page.text, new RegExp(`\n1 of ${total}; --page 2 shows more\\.\n$`))
  const last = await trivet('publishing', 'accounts', '--limit', '1', '--page', String(total), '--json')
  assert.equal(JSON.parse(last.text).rows[0].handle, handle)
  assert.equal((await trivet('publishing', 'accounts', '--search', 'no-such')).text, '0 in all.\n')
  assert.equal((await trivet('publishing', 'accounts', '--limit', '0')).code, 1)
})

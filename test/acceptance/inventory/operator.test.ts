import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { inventoryAdmin } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'

const system = await boot()
const trivet = operatorOf(system)

/** A command is another process: the server learns of it by a signal. */
const becomes = (api: Awaited<ReturnType<typeof inventoryAdmin>>['api'], status: number) =>
  eventually(async () => assert.equal((await api('GET /api/products')).status, status))

test('the operator bans and unbans an inventory account while the service runs', async () => {
  const { api, email } = await inventoryAdmin(system)
  const banned = await trivet('inventory', 'ban', '--email', email)
  assert.deepEqual(banned, { code: 0, text: `${email} is banned.\n` })
  await becomes(api, 403)
  assert.match((await trivet('inventory', 'users', '--search', email)).text, / banned\n1 in all\.\n$/)
  assert.equal((await trivet('inventory', 'unban', '--email', email)).code, 0)
  await becomes(api, 200)
  const unknown = await trivet('inventory', 'ban', '--email', 'nobody@example.com')
  assert.equal(unknown.code, 1)
  assert.match(unknown.text, /^trivet: [^\n]+\n$/)
})

test('the operator ends the subscription of a tenant on a date, and a wrong command changes nothing', async () => {
  const { api, tenant, email } = await inventoryAdmin(system)
  const { rows } = JSON.parse((await trivet('inventory', 'tenants', '--search', email, '--json')).text)
  assert.deepEqual([rows.length, rows[0].id, rows[0].admin], [1, tenant.id, email])
  const set = (...args: string[]) => trivet('inventory', 'subscription', 'set', ...args)
  const wrong = [
    [2, '--tenant', 'one', '--expires', '2001-01-01'],
    [2, '--tenant', String(tenant.id), '--expires', '2001-02-30'],
    [2, '--tenant', String(tenant.id)],
    [1, '--tenant', '0', '--expires', '2001-01-01'],
    [1, '--tenant', '999999999', '--expires', '2001-01-01'],
  ] as const
  for (const [code, ...args] of wrong) assert.equal((await set(...args)).code, code, args.join(' '))
  assert.equal((await api('GET /api/products')).status, 200)
  const { code, text } = await set('--tenant', String(tenant.id), '--expires', '2001-01-01')
  assert.equal(code, 0, text)
  assert.match(text, /ends on 2001-01-01T23:59:59\.999Z/)
  await becomes(api, 402)
  assert.equal((await set('--tenant', String(tenant.id), '--expires', '2040-01-01')).code, 0)
  await becomes(api, 200)
})

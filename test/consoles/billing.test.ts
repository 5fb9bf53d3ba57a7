import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { operatorOf } from '#test/support/operator.ts'
import { assertQuiet, openAsMember, openAsOwner, startConsole } from './support/console.ts'
import { inspect } from './support/inspect.ts'

const console = await startConsole()
const { system } = console
const operate = operatorOf(system)
const { page, owner, troubles } = await openAsOwner(console, '/billing')
const plan = async () => (await owner.api('GET /billing/plan')).body
const payments = page.getByRole('table', { name: 'Payments' })

test('the screen shows the trial, its quotas, and what can be bought', async () => {
  await page.getByText('Trial · 5 GiB').waitFor()
  await page.getByText('Up to 655,360').waitFor()
  await page.getByText('Trial · 10 GiB a month').waitFor()
  await page.getByText('Free', { exact: true }).waitFor()
  const { storage, bandwidth } = (await owner.api('GET /billing/tiers')).body
  for (const [label, tiers] of [
    ['Storage tiers', storage],
    ['Bandwidth tiers', bandwidth],
  ] as const)
    for (const { name, monthly_cents } of tiers) {
      const row = page.getByRole('table', { name: label }).getByRole('row', { name })
      await row.getByText(`$${(monthly_cents / 100).toFixed(2)}`).waitFor()
    }
  await page.getByRole('heading', { name: 'No payments yet' }).waitFor()
  await inspect(page, 'billing-trial')
})

test('the owner buys a plan, which is active once it is paid', async () => {
  await page.getByRole('button', { name: 'Change plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change plan' })
  await dialog.getByLabel('Storage').selectOption({ index: 1 })
  await dialog.getByLabel('Months').fill('0')
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await dialog.locator('.field-error').waitFor()
  await dialog.getByLabel('Months').fill('3')
  await dialog.getByText('$42.00').waitFor()
  await inspect(page, 'billing-buy')
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await dialog.getByText('To pay now').waitFor()
  assert.equal((await plan()).plan_status, 'trial')
  await dialog.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  await page.getByText('$14.00 a month').waitFor()
  await payments.getByText('Paid').waitFor()
  const { plan_status, storage_tier } = await plan()
  assert.deepEqual([plan_status, storage_tier], ['active', 'storage-1000'])
})

test('a promo code extends the plan, and a wrong one is refused at its field', async () => {
  await operate('storage', 'promo', 'create', '--code', 'SPRING', '--months', '2')
  await page.getByLabel('Promo code').fill('NONE')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await page
    .locator('.field-error')
    .getByText(/invalid, expired or used up/i)
    .waitFor()
  const before = Date.parse((await plan()).plan_expires_at)
  await page.getByLabel('Promo code').fill('spring')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await payments.getByText('Promo code SPRING, 2 months').waitFor()
  assert.ok(Date.parse((await plan()).plan_expires_at) > before + 50 * 86_400_000)
  await eventually(async () => assert.equal(await page.getByLabel('Promo code').inputValue(), ''))
  await inspect(page, 'billing')
})

test('what an operator changes shows without a reload, an expired plan with what it means', async () => {
  const { slug } = owner.organization
  await operate('storage', 'plan', 'set', '--org', slug, '--expires', '2020-01-01')
  await page.getByText('uploads are refused until it is extended').waitFor()
  await inspect(page, 'billing-expired')
})

test('admins see the plan and cannot buy, members are told that they may not open it', async () => {
  const admin = await openAsMember(console, owner, 'admin', '/billing')
  await admin.page.getByRole('table', { name: 'Payments' }).waitFor()
  await eventually(async () =>
    assert.equal(await admin.page.getByRole('button', { name: 'Change plan' }).count(), 0),
  )
  await eventually(async () =>
    assert.equal(await admin.page.getByRole('button', { name: 'Redeem' }).count(), 0),
  )
  const member = await openAsMember(console, owner, 'member', '/billing')
  await member.page.getByRole('heading', { name: 'You cannot open this page' }).waitFor()
  assertQuiet(troubles, [400])
  for (const quiet of [admin.troubles, member.troubles]) assertQuiet(quiet)
})

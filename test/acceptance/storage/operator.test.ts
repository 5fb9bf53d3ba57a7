import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'

const system = await boot()
const operator = operatorOf(system)
const planOf = async ({ api }: Awaited<ReturnType<typeof storageOwner>>) =>
  (await api('GET /billing/plan')).body

test('operator commands change storage plans of a running system; invalid commands change nothing', async () => {
  const owner = await storageOwner(system)
  const { slug } = owner.organization
  const before = await planOf(owner)
  for (const args of [
    ['storage', 'plan', 'set', '--org', 'no-such-org', '--status', 'active'],
    ['storage', 'plan', 'set', '--org', slug],
    ['storage', 'plan', 'set', '--org', slug, '--storage-tier', 'huge'],
    ['storage', 'plan', 'set', '--org', slug, '--status', 'active', '--expires', '2001-01-01'],
    ['storage', 'promo', 'create', '--code', 'x', '--months', '1'],
    ['storage', 'promo', 'create', '--code', 'GOOD', '--months', '0'],
  ])
    assert.notEqual((await operator(...args)).code, 0, args.join(' '))
  assert.deepEqual(await planOf(owner), before)

  const { code, text } = await operator(
    ...['storage', 'plan', 'set', '--org', slug, '--status', 'active', '--expires', '2040-02-29'],
    ...['--storage-tier', 'storage-1000', '--bandwidth-tier', 'bandwidth-5000'],
  )
  assert.equal(code, 0, text)
  assert.deepEqual(await planOf(owner), {
    plan_status: 'active',
    plan_expires_at: '2040-02-29T23:59:59.999Z',
    storage_tier: 'storage-1000',
    bandwidth_tier: 'bandwidth-5000',
    storage_quota_bytes: 2 ** 40,
    bandwidth_quota_bytes: 5 * 2 ** 40,
    object_quota: 2 ** 27,
  })
  assert.equal((await operator('storage', 'plan', 'set', '--org', slug, '--status', 'expired')).code, 0)
  assert.equal((await planOf(owner)).plan_status, 'expired')

  const { text: found } = await operator('storage', 'organizations', '--search', slug)
  assert.match(found, new RegExp(`^SLUG +NAME .*\n${slug} .* expired since [0-9-]+\n1 in all\\.\n$`))

  const { text: people } = await operator('storage', 'accounts', '--search', slug)
  assert.match(people, new RegExp(`^EMAIL +NAME .*\n${owner.email} .* owner +${slug} .*\n1 in all\\.\n$`))

  // Months are calendar months, to the last day of a short one.
  await operator('storage', 'plan', 'set', '--org', slug, '--status', 'active', '--expires', '2040-01-31')
  await operator('storage', 'promo', 'create', '--code', 'ONE', '--months', '1')
  const { body } = await owner.api('POST /billing/redeem-promo', { body: { code: 'ONE' } })
  assert.equal(body.plan_expires_at, '2040-02-29T23:59:59.999Z')
})

test('the operator lists promo codes and ends one, which then cannot be redeemed', async () => {
  const owner = await storageOwner(system)
  await operator('storage', 'promo', 'create', '--code', 'ENDING', '--months', '1', '--max-uses', '5')
  assert.match((await operator('storage', 'promo', 'list')).text, /\nENDING +1 +0 of 5 +never\n/)
  const ended = await operator('storage', 'promo', 'end', '--code', 'ending')
  assert.deepEqual(ended, { code: 0, text: 'Promo code ENDING has ended.\n' })
  assert.equal((await owner.api('POST /billing/redeem-promo', { body: { code: 'ENDING' } })).status, 400)
  assert.equal((await operator('storage', 'promo', 'end', '--code', 'ENDING')).code, 1)
})

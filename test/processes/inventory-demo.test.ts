import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventory } from '#src/inventory/app.ts'
import { boot } from '#test/support/boot.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })

test('inventory demo: every report has data, and verify finds nothing wrong', async () => {
  const [admin] = await inventory.demo(inventory.context(system.platform))
  const body = { email: admin?.login, password: admin?.password }
  const { token } = (await system.inventory('POST /api/auth/login', { body })).body
  const api = system.inventory.bearer(token)
  const read = async (path: string) => (await api(`GET /api/${path}`)).body
  const year = new Date(Date.now() - 360 * 86_400_000).toISOString().slice(0, 10)
  const { summary, periods } = await read(`reports/financial?from=${year}&group_by=month`)
  assert.ok(Number(summary.revenue) > 10_000 && Number(summary.gross_margin) > 0)
  assert.ok(periods.every((p: { revenue: string }) => Number(p.revenue) > 0))
  const revenueOf = (month: string) =>
    Number(periods.find((p: { period: string }) => p.period.endsWith(`-${month}`))?.revenue)
  assert.ok(revenueOf('12') > 1.3 * revenueOf('02'), 'more is sold before Christmas than in February')
  assert.ok((await read(`reports/cogs?from=${year}`)).items.length > 10)
  assert.ok(Number((await read('reports/inventory')).total_value) > 1_000)
  assert.ok(Number((await read(`reports/inventory?as_of=${year}`)).total_value) > 1_000)
  assert.ok((await read('reports/dashboard')).today.orders > 0)
  assert.ok((await read('batches')).total > 10)
  assert.ok((await read('batches/expiring?days=200')).total > 0)
  assert.ok((await read('serials?status=sold')).total > 10)
  assert.ok((await read('suppliers/purchase-orders/all')).total > 20)
  assert.ok((await read('inventory/reorder-suggestions')).total > 0)
  assert.ok((await read('inventory?low_stock=true')).total > 0)
  for (const status of ['draft', 'ordered', 'partial', 'received'])
    assert.ok((await read(`suppliers/purchase-orders/all?status=${status}`)).total > 0, status)
  assert.deepEqual(await read('inventory/verify'), { ok: true, findings: [] })
  assert.equal(
    (await inventory.demo(inventory.context(system.platform))).length,
    2,
    'a second time changes nothing',
  )
})

test('inventory demo: it has one webhook to this machine, and tells how to receive what it sends', async () => {
  const ctx = inventory.context(system.platform)
  const [admin] = await inventory.demo(ctx)
  const commands = [await inventory.demoHints?.(ctx), await inventory.demoHints?.(ctx)].map(
    (lines) => lines?.[1],
  )
  for (const command of commands) assert.match(command ?? '', /npx trivet receive --secret whsec_\S+$/)
  const body = { email: admin?.login, password: admin?.password }
  const { token } = (await system.inventory('POST /api/auth/login', { body })).body
  const { webhooks } = (await system.inventory.bearer(token)('GET /api/webhooks')).body
  assert.deepEqual(
    webhooks.map(({ url }: { url: string }) => url),
    ['http://localhost:4010/'],
  )
  const { config } = ctx
  const [hint] =
    (await inventory.demoHints?.({ ...ctx, config: { ...config, webhooksAllowPrivate: false } })) ?? []
  assert.match(hint ?? '', /WEBHOOKS_ALLOW_PRIVATE=on/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot({ env: { RATE_LIMITS: 'on' } })

test('a long paper is drawn beside the thread that serves requests', async () => {
  const s = await shop(system)
  const a = await s.product()
  const { id: supplier_id } = await s.created('POST /api/suppliers', { name: 'Alder & Sons' })
  const items = Array.from({ length: 500 }, () => ({ product_id: a, quantity: 3, unit_cost: '1.15' }))
  const order = { supplier_id, warehouse_id: s.main, items }
  const { id } = await s.created('POST /api/suppliers/purchase-orders', order)
  const path = `GET /api/suppliers/purchase-orders/${id}/purchase-order`
  const costOf = async (call: string) => {
    const before = process.threadCpuUsage()
    assert.equal((await s.api(call)).status, 200)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  await costOf(`${path}.pdf`)
  const [words, pdf] = [await costOf(path), await costOf(`${path}.pdf`)]
  assert.ok(pdf < words + 100, `${pdf} ms, and ${words} ms for the same in words`)
})

test('a person prints 60 times a minute, and does everything else as before', async () => {
  const [s, other] = [await shop(system), await shop(system)]
  const product = await s.product()
  const label = `GET /api/products/${product}/label.pdf`
  assert.equal((await s.api(label)).status, 200)
  // What is not there counts, too.
  for (let n = 1; n < 60; n++) assert.equal((await s.api('GET /api/products/999999/label.pdf')).status, 404)
  const refused = await s.api(label)
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(refused.body.error, 'Too many requests')
  assert.equal((await s.api(`GET /api/products/${product}/label`)).status, 200)
  assert.equal((await other.api(`GET /api/products/${await other.product()}/label.pdf`)).status, 200)
})

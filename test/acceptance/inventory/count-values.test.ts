import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()

test('the review says what the differences are worth, on every page and in all', async () => {
  const s = await shop(system)
  const lamp = await s.product(10, { cost_price: '12.50' })
  const bulb = await s.product(3, { cost_price: '0.34' })
  const right = await s.product(4, { cost_price: '1.00' })
  const { id } = await s.created('POST /api/counts', { warehouse_id: s.main })
  const entries = [
    { product_id: lamp, quantity: 8 },
    { product_id: bulb, quantity: 4 },
    { product_id: right, quantity: 4 },
  ]
  await s.created(`POST /api/counts/${id}/entries`, { entries })
  const read = async (query = '') => (await s.api(`GET /api/counts/${id}/lines${query}`)).body
  const blind = await read()
  assert.equal(blind.summary, null)
  assert.deepEqual(
    blind.lines.map((line: { difference_value: string | null }) => line.difference_value),
    [null, null, null],
  )

  assert.equal((await s.api(`PATCH /api/counts/${id}/status`, { body: { status: 'review' } })).status, 200)
  const summary = { units_missing: 2, units_found: 1, value_missing: '25.00', value_found: '0.34' }
  const all = await read()
  assert.deepEqual(all.summary, summary)
  assert.deepEqual(
    all.lines.map((line: { difference_value: string | null }) => line.difference_value),
    ['-25.00', '0.34', '0.00'],
  )
  assert.deepEqual((await read('?different=true&limit=1')).summary, summary)
})

test('without differences the sum is zero', async () => {
  const s = await shop(system)
  const lamp = await s.product(10, { cost_price: '12.50' })
  const { id } = await s.created('POST /api/counts', { warehouse_id: s.main })
  await s.created(`POST /api/counts/${id}/entries`, { entries: [{ product_id: lamp, quantity: 10 }] })
  await s.api(`PATCH /api/counts/${id}/status`, { body: { status: 'review' } })
  const nothing = { units_missing: 0, units_found: 0, value_missing: '0.00', value_found: '0.00' }
  for (const query of ['', '?different=true'])
    assert.deepEqual((await s.api(`GET /api/counts/${id}/lines${query}`)).body.summary, nothing)
})

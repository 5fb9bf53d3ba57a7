import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checks } from '#inventory/verify/verify.ts'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()

type Node = {
  'Actual Loops': number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** How many rows a plan has compared in vain. */
const comparedInVain = (node: Node): number => {
  const inEachLoop = (node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
  const below = (node.Plans ?? []).map(comparedInVain)
  return node['Actual Loops'] * inEachLoop + below.reduce((sum, rows) => sum + rows, 0)
}

test('no check compares every row with every event', async () => {
  const s = await shop(system)
  const count = 1_000
  const numbers = Array.from({ length: count }, (_, n) => n)
  const imported = await s.api('POST /api/products/import', {
    raw: `sku,name,base_price\n${numbers.map((n) => `P-${n},Part ${n},1.00`).join('\n')}`,
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(imported.body.created, count)
  const { key } = await s.created('POST /api/api-keys', { name: 'Sync', permissions: ['read', 'write'] })
  const synced = await system.inventory('POST /api/external/inventory/sync', {
    headers: { 'x-api-key': key },
    body: numbers.map((n) => ({ sku: `P-${n}`, warehouse_id: s.main, quantity: 5 })),
  })
  assert.equal(synced.body.updated, count)
  for (const tenantId of [s.tenant.id, null])
    for (const [n, check] of checks.entries()) {
      const [row] = await system.sql<{ 'QUERY PLAN': [{ Plan: Node }] }[]>`
        explain (analyze, format json) ${check(system.sql, tenantId)}`
      const compared = comparedInVain(row!['QUERY PLAN'][0].Plan)
      assert.ok(compared < 20 * count, `check ${n + 1}: ${compared} rows compared in vain`)
    }
})

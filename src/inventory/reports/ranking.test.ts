import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRankings, pageWith, rankingOf, type Sold } from './ranking.ts'

const sold = {
  product_id: fc.integer({ min: 1, max: 30 }),
  units: fc.integer({ min: -5, max: 5 }),
  revenue: fc.bigInt({ min: -50n, max: 50n }),
  cogs: fc.bigInt({ min: -9n, max: 9n }),
}
const sales = fc.uniqueArray(fc.record(sold, { noNullPrototype: true }), {
  selector: ({ product_id }) => product_id,
  maxLength: 30,
})

const merged = (lists: readonly Sold[][]) => {
  const sums = new Map<number, Sold>()
  for (const row of lists.flat()) {
    const before = sums.get(row.product_id) ?? { product_id: 0, units: 0, revenue: 0n, cogs: 0n }
    sums.set(row.product_id, {
      product_id: row.product_id,
      units: before.units + row.units,
      revenue: before.revenue + row.revenue,
      cogs: before.cogs + row.cogs,
    })
  }
  return rankingOf([...sums.values()]).rows
}

test('a page of a ranking with later sales is the page of the ranking of all', () => {
  fc.assert(
    fc.property(sales, sales, fc.nat(12), fc.integer({ min: 1, max: 9 }), (before, more, skip, limit) => {
      const whole = merged([before, more])
      const page = { page: 1, offset: skip, limit }
      assert.deepEqual(pageWith(rankingOf(before), more, page), {
        page: whole.slice(skip, skip + limit),
        total: whole.length,
      })
    }),
  )
})

test('a ranking is made once, forgotten when there is no room, and made again after a failure', async () => {
  const rankings = createRankings(3)
  let made = 0
  const load = (rows: number) => async () => {
    made++
    return Array.from({ length: rows }, (_, n) => ({ product_id: n, units: 1, revenue: 1n, cogs: 1n }))
  }
  await Promise.all([rankings('a', load(2)), rankings('a', load(2))])
  assert.equal(made, 1)
  await rankings('b', load(2))
  await rankings('b', load(2))
  assert.equal(made, 2)
  await rankings('a', load(2))
  assert.equal(made, 3)
  await assert.rejects(rankings('c', () => Promise.reject(new Error('lost'))))
  assert.equal((await rankings('c', load(1))).rows.length, 1)
})

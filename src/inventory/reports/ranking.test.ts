import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRankings, pageWith, type RankedBy, rankingOf, type Sold } from './ranking.ts'

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

const merged = (lists: readonly Sold[][], by: RankedBy) => {
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
  return rankingOf([...sums.values()], by).rows
}

test('a page of a ranking with later sales is the page of the ranking of all', () => {
  fc.assert(
    fc.property(
      sales,
      sales,
      fc.constantFrom<RankedBy>('-cogs', 'revenue', '-gross_margin', 'quantity'),
      fc.nat(12),
      (before, more, by, skip) => {
        const whole = merged([before, more], by)
        assert.deepEqual(pageWith(rankingOf(before, by), more, { offset: skip, limit: 5 }), {
          page: whole.slice(skip, skip + 5),
          total: whole.length,
        })
      },
    ),
  )
})

test('a ranking is made once, forgotten when there is no room, and made again after a failure', async () => {
  const rankings = createRankings(3)
  let made = 0
  const load = (rows: number) => async () => {
    made++
    return Array.from({ length: rows }, (_, n) => ({ product_id: n, units: 1, revenue: 1n, cogs: 1n }))
  }
  await Promise.all([rankings('a', '-cogs', load(2)), rankings('a', '-cogs', load(2))])
  assert.equal(made, 1)
  await rankings('b', '-cogs', load(2))
  await rankings('b', '-cogs', load(2))
  assert.equal(made, 2)
  await rankings('a', '-cogs', load(2))
  assert.equal(made, 3)
  await assert.rejects(rankings('c', '-cogs', () => Promise.reject(new Error('lost'))))
  assert.equal((await rankings('c', '-cogs', load(1))).rows.length, 1)
})

test('a ranking goes by any figure, up and down, and by product where that is equal', () => {
  const of = (product_id: number, units: number, revenue: bigint, cogs: bigint) => ({
    product_id,
    units,
    revenue,
    cogs,
  })
  const rows = [of(1, 2, 50n, 45n), of(2, 9, 40n, 10n), of(3, 2, 60n, 45n)]
  const ranked = (by: RankedBy) => rankingOf(rows, by).rows.map(({ product_id }) => product_id)
  assert.deepEqual(ranked('-cogs'), [1, 3, 2])
  assert.deepEqual(ranked('-revenue'), [3, 1, 2])
  assert.deepEqual(ranked('gross_margin'), [1, 3, 2])
  assert.deepEqual(ranked('quantity'), [1, 3, 2])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Product } from '../api.ts'
import { addLine, changeLine } from './lines.ts'

const product = (id: number) => ({ id, base_price: '2.50' }) as Product

test('a product becomes a line of one unit at its price', () => {
  assert.deepEqual(addLine([], product(1)), {
    items: [{ product: product(1), quantity: 1, unit_price: '2.50' }],
    at: 0,
  })
})

test('the same product again is one more of it, at the price that was entered', () => {
  const { items } = addLine([], product(1))
  const again = addLine(changeLine(items, 0, { quantity: 4, unit_price: '2.00' }), product(1))
  assert.deepEqual([again.at, again.items.length], [0, 1])
  assert.deepEqual([again.items[0]?.quantity, again.items[0]?.unit_price], [5, '2.00'])
})

test('a quantity that was cleared counts from nothing', () => {
  const { items } = addLine([], product(1))
  assert.equal(addLine(changeLine(items, 0, { quantity: null }), product(1)).items[0]?.quantity, 1)
})

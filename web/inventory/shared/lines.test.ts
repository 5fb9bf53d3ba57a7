import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Product } from '../api.ts'
import { addLine, changeLine, priceOf } from './lines.ts'

const product = (id: number) => ({ id }) as Product

test('a product becomes a line of one unit at its price', () => {
  assert.deepEqual(addLine([], product(1), '2.50'), {
    items: [{ product: product(1), quantity: 1, unit_price: '2.50' }],
    at: 0,
  })
})

test('the same product again is one more of it, at the price that was entered', () => {
  const { items } = addLine([], product(1), '2.50')
  const again = addLine(changeLine(items, 0, { quantity: 4, unit_price: '2.00' }), product(1), '2.50')
  assert.deepEqual([again.at, again.items.length], [0, 1])
  assert.deepEqual([again.items[0]?.quantity, again.items[0]?.unit_price], [5, '2.00'])
})

test('a quantity that was cleared counts from nothing', () => {
  const { items } = addLine([], product(1), '2.50')
  assert.equal(addLine(changeLine(items, 0, { quantity: null }), product(1), '2.50').items[0]?.quantity, 1)
})

test('a price may be typed with a comma, and what is no amount is left to the API', () => {
  const line = { product: product(1), quantity: 1 }
  assert.equal(priceOf({ ...line, unit_price: '2,5' }), '2.50')
  assert.equal(priceOf({ ...line, unit_price: 'two' }), 'two')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceOf, isOrderable, numbersOf, type Suggestion, whyNow } from './suggestions.ts'

const suggestion = (more: Partial<Suggestion> = {}) =>
  ({
    product_id: 1,
    warehouse_id: 2,
    supplier_id: 3,
    on_hand: 5,
    reserved: 2,
    backordered: 0,
    on_order: 1,
    available: 4,
    reorder_level: 10,
    recent_demand: 15,
    lead_time_days: 14,
    lead_time_demand: 7,
    suggested_quantity: 21,
    ...more,
  }) as Suggestion

test('a suggestion says why, in words and numbers', () => {
  assert.equal(whyNow(suggestion()), '4 available, reorder level 10')
  assert.equal(whyNow(suggestion({ lead_time_demand: 12 })), '4 available, 12 needed until a delivery')
  assert.match(
    numbersOf(suggestion()),
    /^5 on hand, 2 reserved, 1 on the way, sells 3[.,]5 a week, lead time 14 days$/,
  )
  assert.equal(
    numbersOf(suggestion({ reserved: 0, on_order: 0, recent_demand: 0, lead_time_days: 1 })),
    '5 on hand, lead time 1 day',
  )
})

test('what was entered is sent instead of what is suggested', () => {
  assert.equal(choiceOf(suggestion()).quantity, 21)
  assert.deepEqual(choiceOf(suggestion(), { quantity: 4, supplier_id: 9 }), {
    product_id: 1,
    warehouse_id: 2,
    quantity: 4,
    supplier_id: 9,
  })
})

test('without a supplier, or with a quantity of nothing, there is nothing to order', () => {
  assert.equal(isOrderable(suggestion()), true)
  assert.equal(isOrderable(suggestion(), { quantity: 0 }), false)
  assert.equal(isOrderable(suggestion({ supplier_id: null })), false)
  assert.equal(isOrderable(suggestion({ supplier_id: null }), { supplier_id: 9 }), true)
})

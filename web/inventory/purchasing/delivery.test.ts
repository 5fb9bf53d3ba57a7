import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PurchaseOrderItem } from '../api.ts'
import { addArrival, bodyOf, change, placeOf, scanned, wholeDelivery, withSerials } from './delivery.ts'

const item = (id: number, more: Partial<PurchaseOrderItem> = {}) =>
  ({
    id,
    sku: `SKU-${id}`,
    barcode: null,
    quantity: 10,
    quantity_received: 4,
    tracking_type: 'none',
    ...more,
  }) as PurchaseOrderItem

const plain = item(1, { barcode: '4006381333931' })
const milk = item(2, { tracking_type: 'batch', barcode: '5012345678900' })
const phone = item(3, { tracking_type: 'serial' })
const items = [plain, milk, phone]

const scan = (codes: string[]) => {
  let delivery = wholeDelivery(items)
  let before: PurchaseOrderItem | undefined
  for (const code of codes) {
    const after = scanned(delivery, code, items, before)
    if (!after) return null
    delivery = after.delivery
    before = after.item
  }
  return delivery
}

test('at first everything outstanding arrives, and what is set to nothing is not sent', () => {
  const delivery = wholeDelivery(items)
  assert.deepEqual(
    bodyOf(delivery).map(({ quantity_received }) => quantity_received),
    [6, 6, 6],
  )
  const less = change(delivery, 0, { quantity: 0 })
  assert.deepEqual(bodyOf(less)[0], { purchase_order_item_id: 2, quantity_received: 6 })
  assert.equal(placeOf(less, less[0]!), undefined)
  assert.equal(placeOf(less, less[1]!), 'items[0]')
})

test('the first scan of a product counts from nothing', () => {
  assert.deepEqual(
    scan(['4006381333931', 'sku-1', '4006381333931'])?.map(({ quantity }) => quantity),
    [3, 6, 6],
  )
})

test('a scanned batch has a place of its own, with its expiry', () => {
  const code = (batch: string) => `(01)05012345678900(17)301231(10)${batch}`
  const delivery = scan([code('A'), code('B'), code('A')])
  assert.deepEqual(
    delivery
      ?.filter(({ item_id }) => item_id === 2)
      .map(({ quantity, batch_number, expiry_date }) => [quantity, batch_number, expiry_date]),
    [
      [2, 'A', '2030-12-31'],
      [1, 'B', '2030-12-31'],
    ],
  )
})

test('what is scanned after a product with serial numbers is its serial number, once', () => {
  const line = scan(['SKU-3', 'S-1', 'S-2', 'S-1'])?.find(({ item_id }) => item_id === 3)
  assert.deepEqual([line?.quantity, line?.serials], [2, 'S-1\nS-2'])
})

test('a code of no line is none of the delivery', () => {
  assert.equal(scanned(wholeDelivery([plain]), 'nonsense', [plain]), null)
  assert.equal(scan(['S-1']), null)
  assert.equal(scan(['SKU-3', 'SKU-1', 'S-1']), null)
  assert.equal(scanned(wholeDelivery([phone]), 'S-1', [phone])?.item.id, 3)
  assert.equal(scan(['(01)04012345678901']), null)
})

test('serial numbers decide the quantity, and a further batch stands behind the first', () => {
  assert.deepEqual(withSerials('A\nB, C'), { serials: 'A\nB, C', quantity: 3 })
  const delivery = addArrival(wholeDelivery(items), 2, { quantity: 1 })
  assert.deepEqual(
    delivery.map(({ item_id }) => item_id),
    [1, 2, 2, 3],
  )
  assert.equal(new Set(delivery.map(({ key }) => key)).size, 4)
})

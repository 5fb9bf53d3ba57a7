import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Answer } from '#test/support/client.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const other = await boot({ database: { url: system.databaseUrl } })

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))].sort()

/** The tenant's API, and the external one, through one node or the other in turn. */
const nodes = async (s: Shop) => {
  const { key } = await s.created('POST /api/api-keys', { name: 'sync', permissions: ['read', 'write'] })
  const people = [s.api, other.inventory.bearer(s.token)]
  const headers = { 'x-api-key': key as string }
  return {
    person: (i: number) => people[i % 2] as typeof s.api,
    sync: (i: number, body: object[]) =>
      (i % 2 ? system : other).inventory('POST /api/external/inventory/sync', { body, headers }),
  }
}

const skuOf = async (s: Shop, id: number) => (await s.api(`GET /api/products/${id}`)).body.sku as string

test('counts, adjustments and orders of the same products at once on two nodes leave a ledger that explains the stock', async () => {
  const s = await shop(system)
  const products = [await s.product(100), await s.product(100), await s.product(100)]
  const skus = await Promise.all(products.map((id) => skuOf(s, id)))
  const { person, sync } = await nodes(s)
  const answers = await times(120, (i) => {
    const product_id = products[i % 3] as number
    if (i % 4 === 0) return sync(i, [{ sku: skus[i % 3], warehouse_id: s.main, quantity: 80 + (i % 40) }])
    if (i % 4 === 1)
      return person(i)('POST /api/orders', { body: { items: [{ product_id, quantity: 2, unit_price: 1 }] } })
    const body = { product_id, warehouse_id: s.main, quantity: i % 5 ? 3 : -2, notes: `note ${i}` }
    return person(i)('POST /api/inventory/adjust', { body })
  })
  for (const { status, text } of answers) assert.ok([200, 201].includes(status), text)
  for (const { body } of answers.filter((_, i) => i % 4 === 0))
    assert.deepEqual([body.updated, body.skipped], [1, []])
  const { movements } = (await s.api('GET /api/inventory/movements?type=adjustment&limit=200')).body
  const noted = movements.filter(({ notes }: { notes: string | null }) => notes?.startsWith('note '))
  assert.equal(new Set(noted.map(({ notes }: { notes: string }) => notes)).size, 60)
  await s.sound()
})

test('adjustments that are sent at once each return their own quantity, and a refused one leaves the others', async () => {
  const s = await shop(system)
  const products = await times(12, (i) => s.product(10 + i))
  const answers = await times(12, (i) => s.adjust(products[i] as number, i === 5 ? -100 : -i - 1))
  for (const [i, { status, body }] of answers.entries()) {
    if (i === 5) assert.deepEqual([status, /^Insufficient stock/.test(body.error)], [400, true])
    else assert.deepEqual([status, body.new_quantity], [200, 9])
  }
  await s.sound()
})

test('counts of single items that are sent at once each return their own result', async () => {
  const s = await shop(system)
  const products = await times(8, () => s.product(5))
  const skus = await Promise.all(products.map((id) => skuOf(s, id)))
  const { sync } = await nodes(s)
  const answers = await times(9, (i) => {
    const count = { sku: skus[i] ?? 'nothing', warehouse_id: s.main, quantity: 20 + i }
    return sync(0, [i === 3 ? { ...count, expected_quantity: 4 } : count])
  })
  assert.deepEqual(
    answers.map(({ body }) => [body.updated, body.skipped.map(({ reason }: { reason: string }) => reason)]),
    answers.map((_, i) => {
      if (i === 3) return [0, ['Expected 4, but there are 5']]
      return i === 8 ? [0, ['Unknown SKU']] : [1, []]
    }),
  )
  for (const [i, id] of products.entries()) assert.deepEqual(await s.stock(id), [i === 3 ? 5 : 20 + i, 0])
  await s.sound()
})

test('sixteen adjustments at once, of which some are refused, end as if they were made one after another', async () => {
  const s = await shop(system)
  const [a, b, c] = [await s.product(10), await s.product(10), await s.product(10)]
  const milk = await s.product(6, { tracking_type: 'batch' })
  const phone = await s.product(0, { tracking_type: 'serial' })
  const changes: [product: number, quantity: number, warehouse?: number][] = [
    [a, -4], [b, -3], [c, 1], [phone, 1], [milk, -1], [a, -4], [b, -3], [c, 1],
    [999_999_999, 1], [a, -4], [b, -3], [c, 1, 999_999_999], [milk, -1], [a, -4], [b, -3], [c, 1],
  ] // biome-ignore format: two lines
  const answers = await Promise.all(changes.map((change) => s.adjust(...change)))
  const of = (product: number) =>
    answers.filter((_, n) => changes[n]![0] === product && changes[n]![2] === undefined)
  const outcome = (product: number) => ({
    refused: of(product).filter(({ status }) => status === 400).length,
    left: of(product)
      .filter(({ status }) => status === 200)
      .map(({ body }) => body.new_quantity)
      .sort((x, y) => x - y),
  })
  assert.deepEqual([a, b, c, milk, phone].map(outcome), [
    { refused: 2, left: [2, 6] },
    { refused: 1, left: [1, 4, 7] },
    { refused: 0, left: [11, 12, 13] },
    { refused: 0, left: [4, 5] },
    { refused: 1, left: [] },
  ])
  const unknown = answers.filter(({ status }) => status === 404).map(({ body }) => body.error)
  assert.deepEqual(unknown.sort(), ['Product not found', 'Warehouse not found'])
  for (const [product, left, movements] of [[a, 2, 3], [b, 1, 4], [c, 13, 4], [milk, 4, 3], [phone, 0, 0]] as const) {
    assert.deepEqual(await s.stock(product), [left, 0])
    assert.equal((await s.api(`GET /api/inventory/${product}/${s.main}/movements`)).body.total, movements)
  } // biome-ignore format: one line
  await s.sound()
})

test('of counts at once that expect the same quantity one is set, and the others return what it left', async () => {
  const s = await shop(system)
  const products = await times(4, () => s.product(5))
  const skus = await Promise.all(products.map((id) => skuOf(s, id)))
  const { sync } = await nodes(s)
  const answers = await times(16, (i) =>
    sync(0, [{ sku: skus[i % 4], warehouse_id: s.main, quantity: 20 + i, expected_quantity: 5 }]),
  )
  for (const [n, product] of products.entries()) {
    const of = answers.filter((_, i) => i % 4 === n)
    const set = of.findIndex(({ body }) => body.updated === 1)
    const quantity = 20 + 4 * set + n
    assert.deepEqual(await s.stock(product), [quantity, 0])
    const reasons = of.flatMap(({ body }) => body.skipped.map(({ reason }: { reason: string }) => reason))
    assert.deepEqual(reasons, Array(3).fill(`Expected 5, but there are ${quantity}`))
  }
  await s.sound()
})

test('a sync of 1,000 items succeeds beside orders, adjustments and transfers of the same products', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const lines = Array.from({ length: 1000 }, (_, i) => `BULK-${i},Bulk ${i},10.00`)
  const csv = ['sku,name,base_price', ...lines].join('\n')
  const imported = await s.api('POST /api/products/import', {
    raw: csv,
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(imported.body.created, 1000, imported.text)
  const { person, sync } = await nodes(s)
  const counts = (quantity: number) =>
    Array.from({ length: 1000 }, (_, i) => ({
      sku: `BULK-${(i * 7) % 1000}`,
      warehouse_id: s.main,
      quantity,
    }))
  assert.equal((await sync(0, counts(50))).body.updated, 1000)
  const { products } = (await s.api('GET /api/products?limit=200')).body as { products: { id: number }[] }
  const [synced, ...others] = await Promise.all([
    sync(0, counts(60)),
    sync(1, counts(70)),
    ...Array.from({ length: 60 }, (_, i) => {
      const [a, b] = [products[(i * 13) % 200]?.id, products[(i * 29 + 1) % 200]?.id]
      if (i % 3 === 0) {
        const items = [a, b].map((product_id) => ({ product_id, quantity: 1, unit_price: 1 }))
        return person(i)('POST /api/orders', { body: { items } })
      }
      if (i % 3 === 1)
        return person(i)('POST /api/inventory/adjust', {
          body: { product_id: a, warehouse_id: s.main, quantity: 1 },
        })
      const body = { product_id: b, from_warehouse_id: s.main, to_warehouse_id: away, quantity: 1 }
      return person(i)('POST /api/inventory/transfer', { body })
    }),
  ])
  assert.equal(synced?.body.updated, 1000)
  assert.deepEqual(statuses(others as Answer[]), [200, 201])
  await s.sound()
})

test('transfers of one product both ways and of its last units at once move each unit once', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const product = await s.product(10)
  const { person } = await nodes(s)
  const answers = await times(40, (i) => {
    const [from_warehouse_id, to_warehouse_id] = i % 4 === 3 ? [away, s.main] : [s.main, away]
    const body = { product_id: product, from_warehouse_id, to_warehouse_id, quantity: 2 }
    return person(i)('POST /api/inventory/transfer', { body })
  })
  assert.ok(
    statuses(answers).every((status) => status === 200 || status === 400),
    String(statuses(answers)),
  )
  const here = (await s.stock(product))?.[0] as number
  assert.equal(here + ((await s.stock(product, away))?.[0] as number), 10)
  await s.sound()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

type Row = Record<string, unknown>

const buy = async (s: Shop, product_id: number, quantity: number, warehouse_id = s.main) => {
  const { id: supplier_id } = await s.created('POST /api/suppliers', { name: 'Alder' })
  const items = [{ product_id, quantity }]
  const { id } = await s.created('POST /api/suppliers/purchase-orders', { supplier_id, warehouse_id, items })
  return {
    move: (status: string) => s.created(`PATCH /api/suppliers/purchase-orders/${id}/status`, { status }, 200),
    receive: (quantity_received: number) =>
      s.created(
        `POST /api/suppliers/purchase-orders/${id}/receive`,
        { items: [{ product_id, quantity_received }] },
        200,
      ),
  }
}

const figures = ({ quantity_on_hand, reserved, available, incoming }: Row) => [
  quantity_on_hand,
  reserved,
  available,
  incoming,
]

test('a product shows what is on hand, reserved, available and incoming, wherever it is read', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const a = await s.product(10)
  await s.adjust(a, 4, away)
  const read = async () => {
    const one = (await s.api(`GET /api/products/${a}`)).body
    const listed = (await s.api('GET /api/products')).body.products[0]
    const found = (await s.api(`GET /api/products?search=${one.sku}`)).body.products[0]
    assert.deepEqual(listed, one)
    assert.deepEqual(found, one)
    return figures(one)
  }
  assert.deepEqual(await read(), [14, 0, 14, 0])
  await s.order([[a, 3]])
  assert.deepEqual(await read(), [14, 3, 11, 0])

  const first = await buy(s, a, 20)
  assert.deepEqual(await read(), [14, 3, 11, 0], 'a draft is not ordered yet')
  await first.move('ordered')
  const second = await buy(s, a, 5, away)
  await second.move('ordered')
  assert.deepEqual(await read(), [14, 3, 11, 25])
  await first.receive(8)
  assert.deepEqual(await read(), [22, 3, 19, 17])
  await first.move('cancelled')
  assert.deepEqual(await read(), [22, 3, 19, 5])
  await second.receive(5)
  assert.deepEqual(await read(), [27, 3, 24, 0])
  const fresh = await s.product()
  assert.deepEqual(figures((await s.api(`GET /api/products/${fresh}`)).body), [0, 0, 0, 0])
})

test('a search finds name, SKU and barcode, the product with exactly that barcode or SKU first', async () => {
  const s = await shop(system)
  const code = '4006381333931'
  const exact = await s.product(0, { name: 'Marker', barcode: code })
  const part = await s.product(0, { name: 'Box of markers', barcode: `${code}-10` })
  const named = await s.product(0, { name: `Like ${code}` })
  const upc = await s.product(0, { name: 'Tin', barcode: '012345678905' })
  const search = async (text: string, more = '') => {
    const { body } = await s.api(`GET /api/products?search=${encodeURIComponent(text)}${more}`)
    assert.equal(body.total, body.products.length)
    return body.products.map(({ id }: { id: number }) => id)
  }
  assert.deepEqual(await search(code), [exact, named, part])
  assert.deepEqual(await search('1333931-1'), [part])
  assert.deepEqual(await search(code, '&active=false'), [])
  for (const sameNumber of ['012345678905', '0012345678905', '00012345678905'])
    assert.deepEqual(await search(sameNumber), [upc], sameNumber)
  assert.deepEqual(await search(`0${code}`), [exact], 'the GTIN of a GS1 code has 14 digits')
  assert.deepEqual(await search('00000012345678905'), [], 'no GTIN has 17 digits')
  assert.deepEqual(await search('%'), [])
  const short = await s.product(0, { sku: 'LAMP-1' })
  const long = await s.product(0, { sku: 'LAMP-10', name: 'A lamp' })
  assert.deepEqual(await search('LAMP-1'), [short, long])
  const stranger = await shop(system)
  assert.equal((await stranger.api(`GET /api/products?search=${code}`)).body.total, 0)

  const file = (await s.api('GET /api/products/export')).text
  assert.match(file, /barcode/)
  assert.ok(file.includes(code))
  assert.deepEqual((await search('Marker', '&sort=base_price')).sort(), [exact, part].sort())
})

test('products are sorted by name, SKU, price or age, in both directions and on every page', async () => {
  const s = await shop(system)
  const a = await s.product(0, { name: 'beta', sku: 'S3', base_price: '5.00' })
  const b = await s.product(0, { name: 'Alpha', sku: 'S1', base_price: '7.00' })
  const c = await s.product(0, { name: 'gamma', sku: 'S2', base_price: '5.00' })
  const ids = async (query: string) => {
    const { body } = await s.api(`GET /api/products?${query}`)
    assert.equal(body.total, 3, query)
    return body.products.map(({ id }: { id: number }) => id)
  }
  const sorted: [string, number[]][] = [
    ['', [c, b, a]],
    ['created_at', [a, b, c]],
    ['-created_at', [c, b, a]],
    ['name', [b, a, c]],
    ['-name', [c, a, b]],
    ['sku', [b, c, a]],
    ['-sku', [a, c, b]],
    ['base_price', [a, c, b]],
    ['-base_price', [b, c, a]],
  ]
  for (const [sort, expected] of sorted) {
    const query = sort ? `sort=${sort}` : ''
    assert.deepEqual(await ids(query), expected, sort)
    assert.deepEqual(await ids(`${query}&search=s`), expected, `${sort} with a search`)
    assert.deepEqual(await ids(`${query}&active=true`), expected, `${sort} of active products`)
    assert.deepEqual(await ids(`${query}&limit=1&page=2`), [expected[1]], `second page by ${sort}`)
  }
  for (const wrong of ['sort=stock', 'sort=', 'sort=name&sort=sku', 'sort=--name'])
    assert.equal((await s.api(`GET /api/products?${wrong}`)).status, 400, wrong)
})

test('stock is listed by product and warehouse, low without what is out, out, and by a search', async () => {
  const s = await shop(system)
  const away = await s.warehouse({ name: 'Away' })
  const [low, out, fine] = [
    await s.product(3, { name: 'Low lamp', barcode: '96385074' }),
    await s.product(0, { name: 'Out lamp' }),
    await s.product(9, { name: 'Fine chair' }),
  ]
  await s.adjust(fine, 2, away)
  for (const [product, level] of [
    [low, 3],
    [fine, 8],
  ])
    await s.created(`PATCH /api/inventory/${product}/${s.main}`, { reorder_level: level }, 200)
  await s.created(`PATCH /api/inventory/${fine}/${away}`, { reorder_level: 2 }, 200)
  await s.order([[low, 2]])
  const bought = await buy(s, low, 6)
  await bought.move('ordered')

  const list = async (query: string, api = s.api) => {
    const { body } = await api(`GET /api/inventory?${query}`)
    assert.equal(body.total, body.inventory.length, query)
    return body.inventory.map((r: Row) => [r.product_id, r.warehouse_id])
  }
  assert.deepEqual(await list(''), [
    [low, s.main],
    [out, s.main],
    [fine, s.main],
    [fine, away],
  ])
  assert.deepEqual(await list('state=low'), [
    [low, s.main],
    [fine, away],
  ])
  assert.deepEqual(await list('state=out'), [[out, s.main]])
  assert.deepEqual(await list(`state=low&warehouse_id=${away}`), [[fine, away]])
  assert.deepEqual(await list('search=lamp'), [
    [low, s.main],
    [out, s.main],
  ])
  assert.deepEqual(await list('search=LAMP&state=out'), [[out, s.main]])
  assert.deepEqual(await list('search=96385074'), [[low, s.main]])
  assert.deepEqual(await list(`search=chair&warehouse_id=${away}`), [[fine, away]])
  assert.deepEqual(await list('search=%25'), [])
  assert.deepEqual(await list('search=lamp&low_stock=true'), [
    [low, s.main],
    [out, s.main],
  ])
  const row = (await s.api('GET /api/inventory?search=low')).body.inventory[0]
  assert.deepEqual(
    [row.quantity, row.reserved_quantity, row.available, row.incoming, row.reorder_level],
    [3, 2, 1, 6, 3],
  )
  const second = (await s.api('GET /api/inventory?search=lamp&limit=1&page=2')).body
  assert.deepEqual([second.inventory[0].product_id, second.total], [out, 2])
  assert.equal((await s.api('GET /api/inventory?state=empty')).status, 400)
  assert.deepEqual(await list('search=lamp', (await shop(system)).api), [])
})

test('the movements behind a quantity add up to it, with the balance that each of them left', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const a = await s.product(10)
  const { id } = (await s.order([[a, 4]])).body
  const item = (await s.read(id)).items[0].id
  await s.fulfil(id, [[item, 3]])
  await s.giveBack(id, [[item, 1]])
  await s.adjust(a, 7, away)
  const why = async (query = '', product = a, warehouse = s.main, api = s.api) =>
    api(`GET /api/inventory/${product}/${warehouse}/movements${query}`)
  const { body } = await why()
  assert.deepEqual(
    body.movements.map((m: Row) => [m.movement_type, m.quantity, m.balance, m.created_by_name]),
    [
      ['return', 1, 8, s.user.name],
      ['shipment', -3, 7, s.user.name],
      ['adjustment', 10, 10, s.user.name],
    ],
  )
  assert.deepEqual(
    [body.quantity, body.reserved_quantity, body.available, body.incoming, body.total],
    [8, 1, 7, 0, 3],
  )
  assert.deepEqual(
    body.movements.map((m: Row) => m.order_number),
    ['ORD-000001', 'ORD-000001', null],
  )
  const page = (await why('?limit=1&page=2')).body
  assert.deepEqual([page.movements[0].balance, page.total, page.page, page.limit], [7, 3, 2, 1])
  const bought = await buy(s, a, 2)
  await bought.receive(2)
  assert.equal((await why()).body.movements[0].po_number, 'PO-000001')
  assert.equal((await why('', a, away)).body.quantity, 7)

  const never = await s.product()
  assert.deepEqual((await why('', never)).body.movements, [])
  assert.equal((await why('', never, away)).status, 404, 'there is no such stock')
  const stranger = await shop(system)
  assert.equal((await why('', a, s.main, stranger.api)).status, 404)
  for (const path of ['x/1', '1/x', '0/1', '99999999999999999999/1'])
    assert.equal((await s.api(`GET /api/inventory/${path}/movements`)).status, 404, path)
  assert.equal((await why('?limit=0')).status, 400)
  const staff = await s.colleague('Staff')
  assert.equal((await why('', a, s.main, staff.api)).status, 200)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)
const fields = { name: 'Lamp', sku: 'LAMP', base_price: '19.90' }

test('a product is created with its defaults, and read in full', async () => {
  const { id, created_at, ...rest } = await s.created('POST /api/products', fields)
  assert.deepEqual(rest, {
    name: 'Lamp',
    sku: 'LAMP',
    base_price: '19.90',
    cost_price: null,
    tracking_type: 'none',
    is_active: true,
  })
  assert.deepEqual((await s.api(`GET /api/products/${id}`)).body, {
    id,
    ...fields,
    cost_price: null,
    compare_at_price: null,
    barcode: null,
    vendor: null,
    description: null,
    category_id: null,
    category_name: null,
    tracking_type: 'none',
    weight: null,
    taxable: true,
    requires_shipping: true,
    is_active: true,
    total_stock: 0,
    quantity_on_hand: 0,
    reserved: 0,
    available: 0,
    incoming: 0,
    images: [],
    stock: [{ warehouse_id: s.main, warehouse_name: 'Main warehouse', quantity: 0 }],
    created_at,
  })
  assert.equal((await s.api('POST /api/products', { body: fields })).status, 409)
})

test('an invalid product is 400 with the reason, and nothing is added', async () => {
  const before = (await s.api('GET /api/products')).body.total
  const bad: [object, RegExp][] = [
    [{ name: undefined }, /name/],
    [{ sku: '' }, /sku/],
    [{ base_price: undefined }, /base_price/],
    [{ base_price: -1 }, /base_price/],
    [{ base_price: '1.999' }, /base_price/],
    [{ base_price: 1.999 }, /base_price/],
    [{ base_price: '1e3' }, /base_price/],
    [{ base_price: 1e15 }, /base_price/],
    [{ base_price: true }, /base_price/],
    [{ cost_price: 'free' }, /cost_price/],
    [{ tracking_type: 'colour' }, /tracking_type/],
    [{ weight: -0.1 }, /weight/],
    [{ weight: '1' }, /weight/],
    [{ name: 'a\0b' }, /NUL/],
    [{ name: 'a'.repeat(256) }, /name/],
    [{ sku: 'a'.repeat(101) }, /sku/],
    [{ name: 5 }, /name/],
    [{ description: 'x'.repeat(10_001) }, /description/],
    [{ category_id: 0 }, /category_id/],
  ]
  for (const [change, reason] of bad) {
    const answer = await s.api('POST /api/products', { body: { ...fields, sku: 'NEW', ...change } })
    assert.equal(answer.status, 400, JSON.stringify(change))
    assert.match(answer.body.error, reason)
  }
  assert.equal(
    (
      await s.api('POST /api/products', {
        raw: '{"name":"\\ud800","sku":"x","base_price":1}',
        headers: { 'content-type': 'application/json' },
      })
    ).status,
    400,
  )
  assert.equal(
    (await s.api('POST /api/products', { raw: '{', headers: { 'content-type': 'application/json' } })).status,
    400,
  )
  assert.equal(
    (await s.api('POST /api/products', { body: { ...fields, sku: 'NEW', category_id: 999_999 } })).status,
    404,
  )
  assert.equal((await s.api('GET /api/products')).body.total, before)
})

test('the longest texts and the largest price of a product are stored unchanged', async () => {
  const body = {
    name: '𝄞'.repeat(255),
    sku: 'é'.repeat(100),
    base_price: '999999999999.99',
    weight: 0.12345,
    cost_price: 0,
  }
  const { id } = await s.created('POST /api/products', body)
  const read = (await s.api(`GET /api/products/${id}`)).body
  assert.deepEqual(
    [read.name, read.sku, read.base_price, read.weight, read.cost_price],
    [body.name, body.sku, body.base_price, 0.12345, '0.00'],
  )
})

test('PUT of a product resets documented fields that are left out and keeps the others', async () => {
  const category_id = (await s.created('POST /api/products/categories', { name: 'Light' })).id
  const id = await s.product(0, {
    cost_price: 5,
    category_id,
    barcode: '123',
    vendor: 'V',
    weight: 2,
    description: 'D',
    tracking_type: 'batch',
    compare_at_price: '30',
    taxable: false,
  })
  const full = (await s.api(`GET /api/products/${id}`)).body
  assert.deepEqual([full.category_name, full.compare_at_price, full.taxable], ['Light', '30.00', false])
  const answer = await s.api(`PUT /api/products/${id}`, {
    body: { name: 'New', sku: 'NEW-1', base_price: 1 },
  })
  assert.deepEqual([answer.status, Object.keys(answer.body)], [200, ['message']])
  const { created_at: _1, stock: _2, images: _3, ...after } = (await s.api(`GET /api/products/${id}`)).body
  assert.deepEqual(after, {
    id,
    name: 'New',
    sku: 'NEW-1',
    base_price: '1.00',
    cost_price: null,
    compare_at_price: '30.00',
    barcode: null,
    vendor: null,
    description: null,
    category_id: null,
    category_name: null,
    tracking_type: 'none',
    weight: null,
    taxable: false,
    requires_shipping: true,
    is_active: true,
    total_stock: 0,
    quantity_on_hand: 0,
    reserved: 0,
    available: 0,
    incoming: 0,
  })
  assert.equal((await s.api(`PUT /api/products/${id}`, { body: { name: 'New', base_price: 1 } })).status, 400)
  assert.equal((await s.api(`PUT /api/products/${id}`, { body: { ...fields, sku: 'LAMP' } })).status, 409)
  const stocked = await s.product(3)
  const change = { ...fields, sku: 'KEEP', tracking_type: 'batch' }
  assert.equal((await s.api(`PUT /api/products/${stocked}`, { body: change })).status, 400)
})

test('products are listed newest first, searched by name and SKU, filtered and paged', async () => {
  const shelf = await shop(system)
  const c = (await shelf.created('POST /api/products/categories', { name: 'C' })).id
  const ids: number[] = []
  for (let n = 1; n <= 12; n++)
    ids.unshift(
      await shelf.product(0, {
        name: n === 5 ? '100% Wool_x' : `Thing ${n}`,
        sku: `T-${n}`,
        ...(n > 8 ? { category_id: c } : {}),
      }),
    )
  await shelf.api(`PATCH /api/products/${ids[0]}`, { body: { is_active: false } })
  const list = async (query: string) => {
    const { body } = await shelf.api(`GET /api/products?${query}`)
    return [body.products.map((p: { id: number }) => p.id), body.total, body.page, body.limit]
  }
  assert.deepEqual(await list(''), [ids, 12, 1, 50])
  assert.deepEqual(await list('page=2&limit=5'), [ids.slice(5, 10), 12, 2, 5])
  assert.deepEqual(await list('page=4&limit=5'), [[], 12, 4, 5])
  assert.deepEqual(await list('limit=201'), [ids, 12, 1, 200])
  assert.deepEqual(await list('search=thing%201'), [[ids[0], ids[1], ids[2], ids[11]], 4, 1, 50])
  assert.deepEqual(await list('search=t-12'), [[ids[0]], 1, 1, 50])
  assert.deepEqual(await list('search=t-12&page=2'), [[], 1, 2, 50])
  assert.deepEqual(await list('search=0%25'), [[ids[7]], 1, 1, 50])
  assert.deepEqual(await list('search=_'), [[ids[7]], 1, 1, 50])
  assert.deepEqual(await list('search=%5C'), [[], 0, 1, 50])
  assert.deepEqual(await list(`category=${c}`), [ids.slice(0, 4), 4, 1, 50])
  assert.deepEqual(await list('active=false'), [[ids[0]], 1, 1, 50])
  assert.deepEqual(await list('active=true&limit=3&page=2'), [ids.slice(4, 7), 11, 2, 3])
  assert.deepEqual(await list(`active=true&category=${c}`), [ids.slice(1, 4), 3, 1, 50])
  for (const wrong of ['page=0', 'limit=0', 'page=x', 'category=x', 'active=maybe', 'page=1.5', 'search=%00'])
    assert.equal((await shelf.api(`GET /api/products?${wrong}`)).status, 400, wrong)
  const { categories } = (await shelf.api('GET /api/products/categories')).body
  assert.deepEqual(categories, [{ id: c, name: 'C', parent_id: null, product_count: 4 }])
  await shelf.sound()
})

test('every page of 1,300 products is exact, with deletions between', async () => {
  const big = await shop(system)
  const lines = Array.from({ length: 1300 }, (_, n) => `B-${n},Bulk ${n},1.00`)
  const file = `sku,name,base_price\n${lines.join('\n')}`
  const done = await big.api('POST /api/products/import', {
    raw: file,
    headers: { 'content-type': 'text/csv' },
  })
  assert.deepEqual(done.body, { created: 1300, updated: 0, unchanged: 0, failed: [] })
  const rows =
    await system.sql`select id from inventory.products where tenant_id = ${big.tenant.id} order by id desc`
  const gone = new Set([0, 5, 299, 300, 301, 800, 1299].map((n) => rows[n]?.id))
  for (const id of gone) assert.equal((await big.api(`DELETE /api/products/${id}`)).status, 200)
  const expected = rows.map((r) => r.id).filter((id) => !gone.has(id))
  const seen: number[] = []
  for (let page = 1; page <= 7; page++) {
    const { products, total } = (await big.api(`GET /api/products?limit=200&page=${page}`)).body
    assert.equal(total, 1293)
    seen.push(...products.map((p: { id: number }) => p.id))
  }
  assert.deepEqual(seen, expected)
  await big.sound()
})

test('deleting a category is refused while a subcategory has the name of a top category, and the error says what to do', async () => {
  const add = (name: string, parent_id?: number) =>
    s.created('POST /api/products/categories', { name, parent_id })
  const [, parent] = [await add('Spare parts'), await add('Bicycles')]
  const inside = await add('Spare Parts', parent.id)
  const refused = await s.api(`DELETE /api/products/categories/${parent.id}`)
  assert.deepEqual(
    [refused.status, refused.body.error],
    [409, 'A category inside it has the same name as one at the top: rename it first'],
  )
  const body = { name: 'Bicycle parts', parent_id: parent.id }
  assert.equal((await s.api(`PUT /api/products/categories/${inside.id}`, { body })).status, 200)
  assert.equal((await s.api(`DELETE /api/products/categories/${parent.id}`)).status, 200)
})

test('categories are unique among siblings and never inside themselves; deleting one keeps its products', async () => {
  const a = await s.created('POST /api/products/categories', { name: 'Outdoor' })
  const b = await s.created('POST /api/products/categories', { name: 'Garden', parent_id: a.id })
  assert.deepEqual(b, { id: b.id, name: 'Garden', parent_id: a.id, product_count: 0 })
  assert.equal((await s.api('POST /api/products/categories', { body: { name: 'outdoor' } })).status, 409)
  await s.created('POST /api/products/categories', { name: 'Outdoor', parent_id: a.id })
  for (const parent_id of [a.id, b.id])
    assert.equal(
      (await s.api(`PUT /api/products/categories/${a.id}`, { body: { name: 'x', parent_id } })).status,
      400,
    )
  const product = await s.product(0, { category_id: b.id })
  assert.equal(
    (await s.api(`PUT /api/products/categories/${b.id}`, { body: { name: 'Yard' } })).body.product_count,
    1,
  )
  assert.equal((await s.api(`DELETE /api/products/categories/${b.id}`)).status, 200)
  assert.equal((await s.api(`GET /api/products/${product}`)).body.category_id, null)
})

test('the first image of a product is primary until another is made primary', async () => {
  const id = await s.product()
  const add = (body: object) => s.api(`POST /api/products/${id}/images`, { body })
  const one = (await add({ url: 'https://example.com/1.png' })).body
  assert.equal(one.is_primary, true)
  const two = (await add({ url: 'https://example.com/2.png', is_primary: true })).body
  assert.deepEqual((await s.api(`GET /api/products/${id}`)).body.images, [two, { ...one, is_primary: false }])
  for (const url of ['javascript:alert(1)', 'nowhere', '', 5]) assert.equal((await add({ url })).status, 400)
  assert.equal((await s.api(`DELETE /api/products/${id}/images/${two.id}`)).status, 200)
  assert.deepEqual((await s.api(`GET /api/products/${id}`)).body.images, [one])
})

test('deleting a product writes off its stock, frees its SKU and keeps its history; an open order forbids it', async () => {
  const id = await s.product(7, { sku: 'GONE' })
  const order = (await s.order([[id, 2]])).body
  assert.equal((await s.api(`DELETE /api/products/${id}`)).status, 409)
  await s.status(order.id, 'fulfilling')
  await s.status(order.id, 'fulfilled')
  const answer = await s.api(`DELETE /api/products/${id}`)
  assert.deepEqual([answer.status, Object.keys(answer.body)], [200, ['message']])
  assert.equal((await s.api(`GET /api/products/${id}`)).status, 404)
  assert.equal(await s.stock(id), null)
  const { movements } = (await s.api(`GET /api/inventory/movements?product_id=${id}`)).body
  assert.deepEqual(
    [movements[0].movement_type, movements[0].quantity, movements[0].sku],
    ['adjustment', -5, 'GONE'],
  )
  assert.equal((await s.read(order.id)).items[0].sku, 'GONE')
  assert.equal((await s.adjust(id, 1)).status, 404)
  assert.equal((await s.order([[id, 1]])).status, 404)
  await s.product(0, { sku: 'GONE' })
  await s.sound()
})

test('an export guards cells that begin with line feeds or full-width signs, and an import restores them', async () => {
  const e = await shop(system)
  const texts = ['\n=1+1', '\r\n=1+1', '＝cmd', '＋x', '－x', '＠x', "'＝x", "'\n=x", 'a＝b']
  for (const description of texts) await e.product(0, { description })
  const { text } = await e.api('GET /api/products/export')
  const [head, ...rows]: string[][] = parse(text)
  const column = head!.indexOf('description')
  assert.deepEqual(
    rows.map((row) => row[column]),
    [...texts.slice(0, -1).map((each) => `'${each}`), 'a＝b'],
  )
  const again = await e.api('POST /api/products/import', {
    raw: text,
    headers: { 'content-type': 'text/csv' },
  })
  assert.deepEqual(again.body, { created: 0, updated: 0, unchanged: texts.length, failed: [] })
})

test('importing an export of products changes nothing', async () => {
  const e = await shop(system)
  const c = (await e.created('POST /api/products/categories', { name: '=Cmd', parent_id: null })).id
  const texts = [
    'plain',
    '=1+1',
    '+x',
    '-x',
    '@x',
    "'=x",
    "''-x",
    'a,b',
    'say "hi"',
    'two\nlines',
    'two\r\nlines',
    'old\rmac',
    '\ttab',
    ' spaced ',
    'ünï',
  ]
  for (const [n, name] of texts.entries())
    await e.product(n, {
      name,
      sku: `E-${n}-${name.slice(0, 3)}`,
      description: name,
      vendor: n % 2 ? name : null,
      barcode: '',
      weight: n ? n / 7 : null,
      cost_price: n % 3 ? n : null,
      ...(n % 2 ? { category_id: c } : {}),
    })
  const file = await e.api('GET /api/products/export')
  assert.match(file.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="products.csv"/)
  for (const cell of file.text.split(/[,\r\n]+/)) assert.doesNotMatch(cell.replace(/^"/, ''), /^[=+@-]/, cell)
  const marked = await fetch(`${system.inventory.base}/api/products/export?bom=1`, {
    headers: { authorization: `Bearer ${e.token}` },
  })
  const bytes = Buffer.from(await marked.arrayBuffer())
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  assert.equal(bytes.subarray(3).toString(), file.text)
  const load = (raw: string, query = '') =>
    e.api(`POST /api/products/import${query}`, { raw, headers: { 'content-type': 'text/csv' } })
  const n = texts.length
  assert.deepEqual((await load(file.text)).body, { created: 0, updated: 0, unchanged: n, failed: [] })
  const copy = await shop(system)
  const elsewhere = await copy.api('POST /api/products/import', {
    raw: file.text.replaceAll(`,${c},`, ',,').replaceAll("'=Cmd", ''),
    headers: { 'content-type': 'text/csv' },
  })
  assert.deepEqual(elsewhere.body, { created: n, updated: 0, unchanged: 0, failed: [] })
  const names = (await copy.api('GET /api/products')).body.products.map((p: { name: string }) => p.name)
  assert.deepEqual(names.reverse(), texts)

  const mixed =
    'sku,name,base_price,taxable\nE-0-pla,Renamed,12.5,false\nX-1,New,3,true\nX-2,,3,true\n"X-3",Bad,1.999,true\nX-1,Twice,1,true\nX-4,"two\nlines",1,perhaps\nX-5,Last,1,true\n'
  const told = { created: 2, updated: 1, unchanged: 0, failed: [4, 5, 6, 7].map((line) => ({ line })) }
  for (const [query, total] of [
    ['?dry_run=true', n],
    ['', n + 2],
  ] as const) {
    const { status, body } = await load(mixed, query)
    assert.equal(status, 200)
    assert.deepEqual({ ...body, failed: body.failed.map(({ line }: { line: number }) => ({ line })) }, told)
    assert.equal((await e.api('GET /api/products')).body.total, total)
  }
  const changed = (await e.api('GET /api/products?search=Renamed')).body.products[0]
  assert.deepEqual([changed.base_price, changed.taxable, changed.description], ['12.50', false, 'plain'])
  for (const wrong of ['', 'name\nx', 'sku,name\n"open']) assert.equal((await load(wrong)).status, 400, wrong)
  const uneven = await load('sku,name,base_price\nU-1,x,1\nU-2,x\nU-3,x,1,2\nU-4,a"b,1\n')
  assert.equal(uneven.body.created, 2)
  assert.deepEqual(
    uneven.body.failed.map(({ line }: { line: number }) => line),
    [3, 4],
  )
  assert.equal((await e.api('POST /api/products/import', { body: {} })).status, 400)
  await e.sound()
})

test('PATCH changes only the fields that are given', async () => {
  const s = await shop(system)
  const id = await s.product(2, { cost_price: '4.00', barcode: '123', vendor: 'Potters', weight: 1.5 })
  const before = (await s.api(`GET /api/products/${id}`)).body
  const change = (body: object) => s.api(`PATCH /api/products/${id}`, { body })
  assert.equal((await change({ base_price: '12.50', vendor: null })).status, 200)
  assert.equal((await change({})).status, 200)
  assert.deepEqual((await s.api(`GET /api/products/${id}`)).body, {
    ...before,
    base_price: '12.50',
    vendor: null,
  })
  await s.product(0, { sku: 'TAKEN' })
  for (const [status, body] of [
    [409, { sku: 'TAKEN' }],
    [400, { name: '' }],
    [400, { base_price: '1.234' }],
    [400, { tracking_type: 'batch' }],
    [404, { category_id: 999_999 }],
  ] as const)
    assert.equal((await change(body)).status, status, JSON.stringify(body))
})

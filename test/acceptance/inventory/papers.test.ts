import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { inventoryAdmin } from '#test/support/factories.ts'
import { boxOf, pagesOf, textOf } from '#test/support/pdf.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

/** The bytes of a PDF, as one character each. */
const download = async (s: { token: string }, path: string) => {
  const response = await fetch(`${system.urls.inventory}/api/${path}`, {
    headers: { authorization: `Bearer ${s.token}` },
  })
  return { response, pdf: Buffer.from(await response.arrayBuffer()).toString('latin1') }
}

const assertPaper = (
  { response, pdf }: Awaited<ReturnType<typeof download>>,
  { name, box, pages }: { name: string; box: [number, number]; pages: number },
) => {
  assert.equal(response.status, 200, pdf.slice(0, 300))
  assert.equal(response.headers.get('content-type'), 'application/pdf')
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="${name}"`)
  assert.match(pdf, /^%PDF-1\.\d[\s\S]*%%EOF\s*$/)
  assert.deepEqual([boxOf(pdf), pagesOf(pdf)], [box, pages])
}

type Paper = {
  company: string
  title: string
  number: string
  blocks: { title: string; lines: string[] }[]
  columns: { title: string }[]
  rows: string[][]
  notes: string[]
}

/** All that a paper says, without any space. */
const wordsOf = ({ company, title, number, blocks, columns, rows, notes }: Paper) =>
  [
    company,
    title,
    number,
    ...blocks.flatMap((block) => [block.title, ...block.lines]),
    ...columns.map((column) => column.title),
    ...rows.flat(),
    ...notes,
  ]
    .join('')
    .replace(/\s/g, '')

const a4: [number, number] = [595, 842]
const letter: [number, number] = [612, 792]

const placed = async (s: Shop, product: number, quantity: number, more: object = {}) =>
  (await s.order([[product, quantity]], more)).body.id as number

test('a packing slip is a PDF of the order, on A4 or Letter', async () => {
  const s = await shop(system)
  const a = await s.product(3, { name: 'Grüne Tasse, Łódź, Ελλάδα, Кружка' })
  const shipping_address = { line1: '8 Mill Lane', city: 'Leeds', postcode: 'LS1', country: 'GB' }
  const id = await placed(s, a, 5, { shipping_address })
  const slip = await download(s, `orders/${id}/packing-slip.pdf`)
  assertPaper(slip, { name: 'packing-slip-ORD-000001.pdf', box: a4, pages: 1 })
  const { body } = await s.api(`GET /api/orders/${id}/packing-slip`)
  assert.equal(wordsOf(body), textOf(slip.pdf))
  assert.match(textOf(slip.pdf), /GrüneTasse,Łódź,Ελλάδα,Кружка505$/)
  assert.deepEqual(body.code, { symbology: 'code128', text: 'ORD-000001' })
  const other = await download(s, `orders/${id}/packing-slip.pdf?size=letter`)
  assertPaper(other, { name: 'packing-slip-ORD-000001.pdf', box: letter, pages: 1 })
  assert.equal((await s.api(`GET /api/orders/${id}/packing-slip.pdf?size=a3`)).status, 400)
  assert.equal((await s.api('GET /api/orders/999999/packing-slip.pdf')).status, 404)
  assert.equal((await s.api('GET /api/orders/x/packing-slip.pdf')).status, 404)
  const stranger = await inventoryAdmin(system)
  assert.equal((await stranger.api(`GET /api/orders/${id}/packing-slip.pdf`)).status, 404)
})

test('a pick list adds up what is reserved for some orders of one warehouse', async () => {
  const s = await shop(system)
  const away = await s.warehouse()
  const a = await s.product(9)
  const ids = [await placed(s, a, 2), await placed(s, a, 3), await placed(s, a, 1, { warehouse_id: away })]
  assertPaper(await download(s, `orders/${ids[0]}/pick-list.pdf`), {
    name: 'pick-list-ORD-000001.pdf',
    box: a4,
    pages: 1,
  })
  const day = system.clock.now().toISOString().slice(0, 10)
  const both = await download(s, `orders/pick-list.pdf?order_ids=${ids[0]},${ids[1]}&size=letter`)
  assertPaper(both, { name: `pick-list-${day}.pdf`, box: letter, pages: 1 })
  const { body } = await s.api(`GET /api/orders/pick-list?order_ids=${ids[0]},${ids[1]}`)
  assert.equal(wordsOf(body), textOf(both.pdf))
  assert.deepEqual(body.rows[0].slice(2), ['5', 'ORD-000001 (2), ORD-000002 (3)'])
  assert.equal(body.code, null)
  const call = async (order_ids: string) => {
    const { status } = await s.api(`GET /api/orders/pick-list.pdf?order_ids=${order_ids}`)
    assert.equal((await s.api(`GET /api/orders/pick-list?order_ids=${order_ids}`)).status, status)
    return status
  }
  assert.equal(await call(ids.join()), 400, 'from different warehouses')
  assert.equal(await call(`${ids[0]},999999`), 404)
  for (const wrong of ['', 'x', '1,', '0', Array(101).fill('1').join()])
    assert.equal(await call(wrong), 400, wrong.slice(0, 20))
  assert.equal(await call(Array(100).fill(ids[0]).join()), 200)
})

test('a purchase order is printed for its supplier, over as many pages as it needs', async () => {
  const s = await shop(system)
  const a = await s.product()
  const { id: supplier_id } = await s.created('POST /api/suppliers', { name: 'Alder & Sons' })
  const items = Array.from({ length: 120 }, () => ({ product_id: a, quantity: 3, unit_cost: '1.15' }))
  const { id } = await s.created('POST /api/suppliers/purchase-orders', {
    supplier_id,
    warehouse_id: s.main,
    items,
    notes: 'By the side door',
  })
  const { response, pdf } = await download(s, `suppliers/purchase-orders/${id}/purchase-order.pdf`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="PO-000001.pdf"')
  assert.ok(pagesOf(pdf) >= 3 && pagesOf(pdf) <= 5, String(pagesOf(pdf)))
  const { body } = await s.api(`GET /api/suppliers/purchase-orders/${id}/purchase-order`)
  assert.deepEqual([body.rows.length, body.notes], [120, ['Total 414.00', 'By the side door']])
  const titles = body.columns.map(({ title }: { title: string }) => title).join('')
  assert.equal(textOf(pdf).replaceAll(titles.replace(' ', ''), ''), wordsOf({ ...body, columns: [] }))
  for (const form of ['', '.pdf'])
    assert.equal((await s.api(`GET /api/suppliers/purchase-orders/999999/purchase-order${form}`)).status, 404)
})

test('labels have the size of their paper and as many pages as copies', async () => {
  const s = await shop(system)
  const a = await s.product(0, { barcode: '4006381333931', tracking_type: 'batch' })
  const label = await download(s, `products/${a}/label.pdf`)
  assertPaper(label, { name: `product-${a}-label.pdf`, box: [176, 82], pages: 1 })
  assert.match(textOf(label.pdf), /10\.004006381333931$/)
  const { body } = await s.api(`GET /api/products/${a}/label`)
  assert.deepEqual(body.code, { symbology: 'code128', text: '4006381333931' })
  const more = await download(s, `products/${a}/label.pdf?size=100x150&copies=3`)
  assertPaper(more, { name: `product-${a}-label.pdf`, box: [283, 425], pages: 3 })
  const { id } = await s.created('POST /api/batches', {
    product_id: a,
    batch_number: 'OIL-7',
    expiry_date: '2031-03-31',
    quantity: 1,
  })
  assertPaper(await download(s, `batches/${id}/label.pdf?size=57x32`), {
    name: `batch-${id}-label.pdf`,
    box: [162, 91],
    pages: 1,
  })
  assert.deepEqual((await s.api(`GET /api/batches/${id}/label`)).body.code, {
    symbology: 'gs1qrcode',
    text: '(01)04006381333931(17)310331(10)OIL-7',
  })
  for (const wrong of ['size=1x1', 'copies=0', 'copies=101', 'copies=x'])
    assert.equal((await s.api(`GET /api/products/${a}/label.pdf?${wrong}`)).status, 400, wrong)
  assert.equal((await s.api(`GET /api/batches/999999/label.pdf`)).status, 404)
  const stranger = await inventoryAdmin(system)
  for (const path of [`products/${a}/label`, `batches/${id}/label`])
    for (const form of ['', '.pdf']) assert.equal((await stranger.api(`GET /api/${path}${form}`)).status, 404)
})

test('no name breaks a paper', async () => {
  const s = await shop(system)
  const names = [
    'W'.repeat(255),
    '日本語の名前 😀👩‍👩‍👧 \u202Eright to left\u202C',
    'שלום مرحبا',
    'line\r\nbreak\ttab\u2028separator\u0007bell',
    ') Tj ET (injected) /JS <</S/JavaScript>> endstream endobj',
    '<script>alert(1)</script>\\(\\)',
    'e\u0301\u0301\u0301\u0301\u0301\u0301 \uFFFD \u0000'.replace('\u0000', ''),
  ]
  for (const [n, name] of names.entries()) {
    const sku = [...name].slice(0, 100).join('')
    const a = await s.product(1, { name, sku, barcode: sku, tracking_type: 'batch' })
    const id = await placed(s, a, 1, {
      shipping_address: { line1: name.slice(0, 200), city: name.slice(0, 50) },
    })
    const { id: batch } = await s.created('POST /api/batches', { product_id: a, batch_number: sku })
    for (const path of [
      `orders/${id}/packing-slip.pdf`,
      `products/${a}/label.pdf`,
      `batches/${batch}/label.pdf`,
    ]) {
      const { response, pdf } = await download(s, path)
      assert.equal(response.status, 200, `${n} ${path}`)
      assert.match(pdf, /%%EOF\s*$/, `${n} ${path}`)
      assert.equal(pagesOf(pdf), 1, `${n} ${path}`)
      assert.doesNotMatch(pdf, /(?<!\\)\) Tj ET/, 'text ends where it should')
    }
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shop } from '#test/acceptance/inventory/scene.ts'
import { boot } from '#test/support/boot.ts'
import { openBrowser } from '#test/support/browser.ts'
import { eventually } from '#test/support/eventually.ts'
import { storageOwner } from '#test/support/factories.ts'
import { createBucket, objectPath, putObject } from '#test/support/storage.ts'
import { openAs, type Page } from './support/console.ts'
import { screensOf } from './support/screens.ts'

const system = await boot({ env: { TRIVET_SERVICES: 'storage,inventory' } })
const browser = await openBrowser()
const phone = { width: 360, height: 740 }

const console = (service: 'storage' | 'inventory') => {
  const root = system.urls[service] as string
  return { system, browser, root, address: (path = '') => `${root}/console${path}` }
}

/** A name of 100 characters that can be broken nowhere. */
let names = 0
const long = (what: string) => `${what}${++names}`.padEnd(100, 'w')
/** An address of an email of that length. */
const longEmail = () => `${'w'.repeat(60)}${++names}@${'w'.repeat(30)}.example.com`

const isLoaded = `!document.querySelector('.skeleton, .skeleton-row') && !!document.querySelector('h1')`
/** The innermost elements that stick out to the right of the page. */
const stickingOut = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > clientWidth)
  return wide.filter((one) => !wide.some((other) => other !== one && one.contains(other)))
    .map((one) => one.outerHTML.slice(0, 80)).slice(0, 3)
})()`
const tabs = `[...document.querySelectorAll('.tabs a')].map(({ pathname }) => pathname)`

/** Opens screens and what their tabs lead to; returns which of them stick out of a phone, and by how much. */
const walk = async (page: Page, root: string, paths: string[]) => {
  const seen = new Set<string>()
  const faults: string[] = []
  await page.setViewportSize(phone)
  const queue = paths.map((path) => `/console${path}`)
  for (const path of queue) {
    if (seen.has(path)) continue
    seen.add(path)
    await page.goto(root + path)
    await eventually(async () => assert.ok(await page.evaluate(isLoaded), path))
    const wide = await page.evaluate<string[]>(stickingOut)
    if (wide.length > 0) faults.push(`${path}: ${wide.join(' ')}`)
    const found = await page.getByText('There is nothing at this address').count()
    if (found > 0) faults.push(`${path}: nothing there`)
    queue.push(...(await page.evaluate<string[]>(tabs)))
  }
  return faults
}

/** The addresses of all screens. A screen whose parts of an address have no value here fails. */
const addressesOf = (service: 'storage' | 'inventory', values: Record<string, string | number>) =>
  screensOf(service).map((path) =>
    path
      .replace(/\/:\w+\?$/, '')
      .replace(/:\w+/g, (part) => String(values[`${path} ${part}`] ?? values[part] ?? assert.fail(path))),
  )

test('every screen of inventory fits a phone, however long the names are', async () => {
  const company = await shop(system)
  const { created, api } = company
  await created('PATCH /api/company', { name: long('company') }, 200)
  const [admin] = (await api('GET /api/users')).body.users
  await created(`PATCH /api/users/${admin.id}`, { name: long('user') }, 200)
  const category = await created('POST /api/products/categories', { name: long('category') })
  await company.warehouse({ name: long('warehouse'), code: 'w'.repeat(50), city: long('city') })
  const more = { category_id: category.id, vendor: long('vendor') }
  const product = await company.product(5, {
    name: long('product'),
    sku: long('sku'),
    barcode: long('barcode'),
    ...more,
  })
  const batched = await company.product(0, {
    name: long('product'),
    sku: long('sku'),
    tracking_type: 'batch',
  })
  const batch = await created('POST /api/batches', {
    product_id: batched,
    batch_number: long('batch'),
    quantity: 3,
    notes: long('note'),
  })
  const lamp = await company.product(0, { name: long('product'), sku: long('sku'), tracking_type: 'serial' })
  await created('POST /api/serials/bulk', {
    product_id: lamp,
    warehouse_id: company.main,
    serials: [long('serial')],
  })
  const [serial] = (await api('GET /api/serials')).body.serials
  const supplier = await created('POST /api/suppliers', {
    name: long('supplier'),
    email: longEmail(),
    payment_terms: long('terms'),
  })
  const customer = await created('POST /api/customers', {
    name: long('customer'),
    company: long('company'),
    email: longEmail(),
  })
  await created(`POST /api/customers/${customer.id}/addresses`, {
    type: 'shipping',
    line1: long('street'),
    city: long('city'),
    country: long('country'),
  })
  const { body: order } = await company.order(
    [
      [product, 20],
      [batched, 1],
    ],
    { customer_id: customer.id },
  )
  const purchase = await created('POST /api/suppliers/purchase-orders', {
    supplier_id: supplier.id,
    warehouse_id: company.main,
    items: [{ product_id: product, quantity: 10, unit_cost: '2.00' }],
  })
  const count = await created('POST /api/counts', { warehouse_id: company.main, notes: long('note') })
  await created(`POST /api/counts/${count.id}/entries`, { entries: [{ product_id: product, quantity: 2 }] })
  const webhook = await created('POST /api/webhooks', {
    url: `https://example.com/${long('path')}`,
    description: long('webhook'),
  })
  await created('POST /api/api-keys', { name: long('key'), permissions: ['read'] })

  const service = console('inventory')
  const { page } = await openAs(service, company.email)
  const values = {
    ':productId': product,
    ':countId': count.id,
    ':orderId': order.id,
    ':purchaseOrderId': purchase.id,
    '/purchasing/:id/paper :id': purchase.id,
    ':customerId': customer.id,
    ':supplierId': supplier.id,
    ':batchId': batch.id,
    '/tracking/batches/:id/labels :id': batch.id,
    ':serialId': serial.id,
    ':report': 'financial',
    ':webhookId': webhook.id,
    '/settings/:tab :tab': 'warehouses',
  }
  assert.deepEqual(await walk(page, service.root, addressesOf('inventory', values)), [])
})

test('every screen of storage fits a phone, however long the names are', async () => {
  const owner = await storageOwner(system, {
    fullName: long('owner'),
    organizationName: long('organization'),
  })
  const { api } = owner
  const bucket = await createBucket(api, 'w'.repeat(100))
  await putObject(api, objectPath(bucket, long('object')), 'x')
  await putObject(api, objectPath(bucket, 'gone-'.padEnd(100, 'w')), 'x')
  await api(`DELETE ${objectPath(bucket, 'gone-'.padEnd(100, 'w'))}`)
  await api('POST /auth/api-keys', { body: { label: long('key') } })
  await api('POST /members', {
    body: { fullName: long('member'), email: longEmail(), password: 'a long password', role: 'member' },
  })
  const { body: webhook } = await api('POST /webhooks', {
    body: { url: `https://example.com/${long('path')}`, description: long('webhook') },
  })
  const service = console('storage')
  const { page } = await openAs(service, owner.email)
  const values = { ':bucketId': bucket, ':webhookId': webhook.id }
  assert.deepEqual(await walk(page, service.root, addressesOf('storage', values)), [])
})

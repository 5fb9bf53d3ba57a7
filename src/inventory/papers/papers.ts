import { badRequest } from '#platform/errors.ts'
import { readBatch } from '../batches/batches.ts'
import type { Inventory, Principal } from '../context.ts'
import { readOrder } from '../orders/orders.ts'
import type { Order } from '../orders/schema.ts'
import { readProduct } from '../products/products.ts'
import { readPurchaseOrder } from '../purchasing/purchasing.ts'
import { readSupplier } from '../suppliers/suppliers.ts'
import type { LabelQuery, PaperSize } from './schema.ts'
import type { Sheet } from './sheet.ts'
import * as store from './store.ts'

/** The libraries that draw are large, and loaded only when somebody prints. */
const print = async (sheet: Sheet) => (await import('./sheet.ts')).printSheet(sheet)

const letterhead = (ctx: Inventory, me: Principal, warehouse: number, at: string) =>
  store.findLetterhead(ctx.db.sql, me.tenantId, { warehouse, at })

const addressLines = (address: Order['shipping_address']) =>
  address
    ? [
        address.line1,
        [address.postcode, address.city].filter(Boolean).join(' '),
        address.state,
        address.country,
      ]
    : []

export const packingSlip = async (ctx: Inventory, me: Principal, id: number, size: PaperSize) => {
  const order = await readOrder(ctx, me, id)
  const { company, warehouse, day } = await letterhead(ctx, me, order.warehouse_id, order.created_at)
  const pdf = await print({
    size,
    company,
    title: 'Packing slip',
    number: order.order_number,
    blocks: [
      { title: 'Ship to', lines: [order.customer_name, ...addressLines(order.shipping_address)] },
      { title: 'Order', lines: [order.order_number, day, `From ${warehouse}`] },
    ],
    columns: [
      { title: 'SKU', share: 0.2 },
      { title: 'Product', share: 0.4 },
      { title: 'Ordered', share: 0.13, align: 'right' },
      { title: 'Shipped', share: 0.13, align: 'right' },
      { title: 'To follow', share: 0.14, align: 'right' },
    ],
    rows: order.items.map((item) => [
      item.sku,
      item.product_name,
      String(item.quantity),
      String(item.quantity_fulfilled),
      String(item.quantity_reserved + item.quantity_backordered),
    ]),
    below: [],
  })
  return { pdf, name: `packing-slip-${order.order_number}.pdf` }
}

/** What to take from the shelves for some orders of one warehouse: by product, only what is reserved for them. */
export const pickList = async (ctx: Inventory, me: Principal, ids: readonly number[], size: PaperSize) => {
  const orders: Order[] = []
  for (const id of new Set(ids)) orders.push(await readOrder(ctx, me, id))
  const [first] = orders as [Order]
  if (orders.some(({ warehouse_id }) => warehouse_id !== first.warehouse_id))
    badRequest('These orders ship from different warehouses: print a list for each')
  const { company, warehouse, day } = await letterhead(
    ctx,
    me,
    first.warehouse_id,
    ctx.clock.now().toISOString(),
  )
  const picks = new Map<number, { sku: string; name: string; units: number; orders: string[] }>()
  for (const { order_number, items } of orders)
    for (const item of items.filter(({ quantity_reserved }) => quantity_reserved > 0)) {
      const pick = picks.get(item.product_id) ?? {
        sku: item.sku,
        name: item.product_name,
        units: 0,
        orders: [],
      }
      pick.units += item.quantity_reserved
      pick.orders.push(`${order_number} (${item.quantity_reserved})`)
      picks.set(item.product_id, pick)
    }
  const numbers = orders.map(({ order_number }) => order_number)
  const number = numbers.length === 1 ? (numbers[0] as string) : day
  const pdf = await print({
    size,
    company,
    title: 'Pick list',
    number,
    blocks: [
      { title: 'Warehouse', lines: [warehouse] },
      {
        title: 'Orders',
        lines: [numbers.slice(0, 6).join(', '), numbers.length > 6 ? `and ${numbers.length - 6} more` : null],
      },
    ],
    columns: [
      { title: 'SKU', share: 0.2 },
      { title: 'Product', share: 0.35 },
      { title: 'Pick', share: 0.1, align: 'right' },
      { title: 'For', share: 0.35 },
    ],
    rows: [...picks.values()]
      .sort((a, b) => (a.sku < b.sku ? -1 : 1))
      .map(({ sku, name, units, orders: wanted }) => [sku, name, String(units), wanted.join(', ')]),
    below: picks.size === 0 ? ['Nothing is reserved for these orders.'] : [],
  })
  return { pdf, name: `pick-list-${number}.pdf` }
}

export const purchaseOrder = async (ctx: Inventory, me: Principal, id: number, size: PaperSize) => {
  const order = await readPurchaseOrder(ctx, me, id)
  const supplier = await readSupplier(ctx, me, order.supplier_id)
  const { company, warehouse, address, day } = await letterhead(ctx, me, order.warehouse_id, order.created_at)
  const pdf = await print({
    size,
    company,
    title: 'Purchase order',
    number: order.po_number,
    blocks: [
      { title: 'Supplier', lines: [supplier.name, supplier.email, supplier.phone, supplier.payment_terms] },
      { title: 'Deliver to', lines: [company, warehouse, ...address] },
      { title: 'Date', lines: [day, order.expected_date && `Expected ${order.expected_date}`] },
    ],
    columns: [
      { title: 'SKU', share: 0.2 },
      { title: 'Product', share: 0.38 },
      { title: 'Quantity', share: 0.12, align: 'right' },
      { title: 'Unit cost', share: 0.14, align: 'right' },
      { title: 'Total', share: 0.16, align: 'right' },
    ],
    rows: order.items.map((item) => [
      item.sku,
      item.product_name,
      String(item.quantity),
      item.unit_cost,
      item.line_total,
    ]),
    below: [`Total ${order.total_amount}`, ...(order.notes ? [order.notes] : [])],
  })
  return { pdf, name: `${order.po_number}.pdf` }
}

export const productLabels = async (ctx: Inventory, me: Principal, id: number, query: LabelQuery) => {
  const product = await readProduct(ctx, me, id)
  const { printProductLabels } = await import('./labels.ts')
  return { pdf: await printProductLabels(query, product), name: `product-${id}-label.pdf` }
}

export const batchLabels = async (ctx: Inventory, me: Principal, id: number, query: LabelQuery) => {
  const batch = await readBatch(ctx, me, id)
  const { barcode } = await readProduct(ctx, me, batch.product_id)
  const { printBatchLabels } = await import('./labels.ts')
  return { pdf: await printBatchLabels(query, batch, barcode), name: `batch-${id}-label.pdf` }
}

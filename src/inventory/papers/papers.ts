import { badRequest } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { readOrder } from '../orders/orders.ts'
import type { Order } from '../orders/schema.ts'
import { readPurchaseOrder } from '../purchasing/purchasing.ts'
import { readSupplier } from '../suppliers/suppliers.ts'
import { textCode } from './codes.ts'
import { picksOf } from './picks.ts'
import { printable, printableLines } from './printable.ts'
import type { Paper } from './schema.ts'
import * as store from './store.ts'

const letterhead = (ctx: Inventory, me: Principal, warehouse: number, at: string) =>
  store.findLetterhead(ctx.db.sql, me.tenantId, { warehouse, at })

type Words = Omit<Paper, 'blocks'> & {
  blocks: { title: string; lines: (string | null | undefined)[] }[]
}

/** Every text on a paper is one line, whatever people have typed. */
const paperOf = ({ company, number, blocks, rows, notes, ...rest }: Words): Paper => ({
  ...rest,
  company: printable(company),
  number: printable(number),
  blocks: blocks.map(({ title, lines }) => ({ title, lines: printableLines(lines) })),
  rows: rows.map((cells) => cells.map(printable)),
  notes: printableLines(notes),
})

/** A column; `share` of the width of the paper. */
const words = (title: string, share: number) => ({ title, share, align: 'left' as const })
const numbers = (title: string, share: number) => ({ title, share, align: 'right' as const })

const addressLines = (address: Order['shipping_address']) =>
  address
    ? [
        address.line1,
        [address.postcode, address.city].filter(Boolean).join(' '),
        address.state,
        address.country,
      ]
    : []

export const packingSlip = async (ctx: Inventory, me: Principal, id: number) => {
  const order = await readOrder(ctx, me, id)
  const { company, warehouse, day } = await letterhead(ctx, me, order.warehouse_id, order.created_at)
  return paperOf({
    company,
    title: 'Packing slip',
    number: order.order_number,
    code: textCode(order.order_number),
    blocks: [
      { title: 'Ship to', lines: [order.customer_name, ...addressLines(order.shipping_address)] },
      { title: 'Order', lines: [order.order_number, day, `From ${warehouse}`] },
    ],
    columns: [
      words('SKU', 0.2),
      words('Product', 0.4),
      numbers('Ordered', 0.13),
      numbers('Shipped', 0.13),
      numbers('To follow', 0.14),
    ],
    rows: order.items.map((item) => [
      item.sku,
      item.product_name,
      String(item.quantity),
      String(item.quantity_fulfilled),
      String(item.quantity_reserved + item.quantity_backordered),
    ]),
    notes: [],
  })
}

/** What to take from the shelves for some orders of one warehouse: by product, only what is reserved for them. */
export const pickList = async (ctx: Inventory, me: Principal, ids: readonly number[]) => {
  const orders: Order[] = []
  for (const id of new Set(ids)) orders.push(await readOrder(ctx, me, id))
  const [first, ...others] = orders as [Order, ...Order[]]
  if (others.some(({ warehouse_id }) => warehouse_id !== first.warehouse_id))
    badRequest('These orders ship from different warehouses: print a list for each')
  const now = ctx.clock.now().toISOString()
  const { company, warehouse, day } = await letterhead(ctx, me, first.warehouse_id, now)
  const isOne = others.length === 0
  const picks = picksOf(orders)
  return paperOf({
    company,
    title: 'Pick list',
    number: isOne ? first.order_number : day,
    code: isOne ? textCode(first.order_number) : null,
    blocks: [
      { title: 'Warehouse', lines: [warehouse] },
      {
        title: 'Orders',
        lines: [
          orders
            .slice(0, 6)
            .map(({ order_number }) => order_number)
            .join(', '),
          orders.length > 6 ? `and ${orders.length - 6} more` : null,
        ],
      },
    ],
    columns: [words('SKU', 0.2), words('Product', 0.35), numbers('Pick', 0.1), words('For', 0.35)],
    rows: picks.map(({ sku, name, units, wanted }) => [sku, name, String(units), wanted.join(', ')]),
    notes: picks.length === 0 ? ['Nothing is reserved for these orders.'] : [],
  })
}

export const purchaseOrder = async (ctx: Inventory, me: Principal, id: number) => {
  const order = await readPurchaseOrder(ctx, me, id)
  const supplier = await readSupplier(ctx, me, order.supplier_id)
  const { company, warehouse, address, day } = await letterhead(ctx, me, order.warehouse_id, order.created_at)
  return paperOf({
    company,
    title: 'Purchase order',
    number: order.po_number,
    code: textCode(order.po_number),
    blocks: [
      { title: 'Supplier', lines: [supplier.name, supplier.email, supplier.phone, supplier.payment_terms] },
      { title: 'Deliver to', lines: [company, warehouse, ...address] },
      { title: 'Date', lines: [day, order.expected_date && `Expected ${order.expected_date}`] },
    ],
    columns: [
      words('SKU', 0.2),
      words('Product', 0.38),
      numbers('Quantity', 0.12),
      numbers('Unit cost', 0.14),
      numbers('Total', 0.16),
    ],
    rows: order.items.map((item) => [
      item.sku,
      item.product_name,
      String(item.quantity),
      item.unit_cost,
      item.line_total,
    ]),
    notes: [`Total ${order.total_amount}`, order.notes ?? ''],
  })
}

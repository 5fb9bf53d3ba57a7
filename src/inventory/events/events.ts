import type { Events } from '#platform/events/events.ts'
import { serveEvents } from '#platform/events/serve.ts'
import { Named } from '#platform/http/schema.ts'
import { Batch } from '../batches/schema.ts'
import type { Inventory } from '../context.ts'
import { Count } from '../counts/schema.ts'
import { Customer } from '../customers/schema.ts'
import { admit } from '../guard.ts'
import { Order } from '../orders/schema.ts'
import { Product } from '../products/schema.ts'
import { PurchaseOrder } from '../purchasing/schema.ts'
import { InventoryRow, Movement } from '../stock/schema.ts'
import { envelope } from './envelope.ts'
import * as store from './store.ts'

const { product_name: _, ...place } = InventoryRow.properties
const StockState = Named('StockState', place)
const StockChange = Named('StockChange', { ...place, movement: Movement })

/** What an API key may read. */
const ofKeys = /^(?:product|stock|order|customer)\./

const types: Events['types'] = {
  'product.created': { about: 'A product was added, also by an import', data: Product },
  'product.updated': { about: 'A product or its images changed', data: Product },
  'product.deleted': { about: 'A product was deleted; it is shown as it was before', data: Product },
  'stock.changed': { about: 'Units came or went: one event for each movement', data: StockChange },
  'stock.low': { about: 'Stock in a warehouse is now at or below its reorder level', data: StockState },
  'stock.out': { about: 'Nothing is left in a warehouse', data: StockState },
  'stock.recovered': { about: 'Stock in a warehouse is above its reorder level again', data: StockState },
  'order.created': { about: 'An order was placed', data: Order },
  'order.updated': {
    about: 'An order moved on, was shipped in part, or got or lost reserved stock',
    data: Order,
  },
  'order.fulfilled': { about: 'An order was shipped whole', data: Order },
  'order.cancelled': { about: 'An order was cancelled', data: Order },
  'order.returned': { about: 'Units of an order came back', data: Order },
  'purchase_order.created': { about: 'A purchase order was drafted', data: PurchaseOrder },
  'purchase_order.updated': { about: 'A purchase order was placed or cancelled', data: PurchaseOrder },
  'purchase_order.received': { about: 'Goods were received, in part or whole', data: PurchaseOrder },
  'count.created': { about: 'A stock count was opened', data: Count },
  'count.updated': { about: 'Something was counted, or a count was reviewed or reopened', data: Count },
  'count.posted': { about: 'A count was posted; each difference is a movement', data: Count },
  'count.cancelled': { about: 'A count was cancelled; no stock changed', data: Count },
  'batch.expiring': { about: 'A batch on hand expires within 30 days; once', data: Batch },
  'customer.created': { about: 'A customer was added', data: Customer },
  'customer.updated': {
    about: 'A customer or their addresses changed. Of one who was deleted only the name is left',
    data: Customer,
  },
}

const typesOfKeys = Object.keys(types).filter((type) => ofKeys.test(type))

/** What happens in a tenant. */
export const events: Events<Inventory> = {
  types,
  reading: [
    { path: '/api/events', access: 'staff', name: 'Events', tags: ['Events'] },
    { path: '/api/external/events', access: 'key:read', name: 'ExternalEvents', tags: ['External API'] },
  ],
  webhooks: {
    path: '/api/webhooks',
    location: '/api/webhooks/{id}',
    access: 'admin',
    tags: ['Webhooks'],
    limitStatus: 409,
  },
  envelope,
  async reader(ctx, req) {
    const { tenantId, keyId } = await admit(ctx, req)
    const owner = String(tenantId)
    return keyId === undefined ? { owner } : { owner, types: typesOfKeys }
  },
  async managers(ctx, owner) {
    const admins = await store.listManagers(ctx.db.sql, Number(owner), ctx.clock.now())
    return { reader: { owner }, emails: admins.map(({ email }) => email) }
  },
}

export const happenings = serveEvents('inventory', events)

import type { Events, Reader } from '#events/events.ts'
import { serveEvents } from '#events/serve.ts'
import { forbidden } from '#platform/errors.ts'
import { Named } from '#platform/http/schema.ts'
import { refusalOf, roleAllows } from '../access.ts'
import { recordAudit } from '../audit/audit.ts'
import { Batch } from '../batches/schema.ts'
import { Category } from '../categories/schema.ts'
import type { Inventory, Principal, Role } from '../context.ts'
import { Count } from '../counts/schema.ts'
import { Customer } from '../customers/schema.ts'
import { admit } from '../guard.ts'
import { ApiKey } from '../keys/schema.ts'
import { Order } from '../orders/schema.ts'
import { Product } from '../products/schema.ts'
import { PurchaseOrder } from '../purchasing/schema.ts'
import { Serial } from '../serials/schema.ts'
import { Company, Settings } from '../settings/schema.ts'
import { InventoryRow, Movement } from '../stock/schema.ts'
import { SupplierDetail } from '../suppliers/schema.ts'
import { Member } from '../users/schema.ts'
import { Warehouse } from '../warehouses/schema.ts'
import { envelope } from './envelope.ts'
import * as store from './store.ts'

const { product_name: _, ...place } = InventoryRow.properties
const StockState = Named('StockState', place)
const StockChange = Named('StockChange', { ...place, movement: Movement })

/** What an API key may read. */
const ofKeys = /^(?:product|stock|order|customer)\./

/** What not everybody may read, and whom an access word must admit to it. */
const restricted = { user: 'admin', api_key: 'manager' } as const

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
  'batch.created': { about: 'A batch was added, also by goods that were received', data: Batch },
  'batch.updated': { about: 'The numbers, dates or notes of a batch changed', data: Batch },
  'batch.expiring': { about: 'A batch on hand expires within 30 days; once', data: Batch },
  'serial.updated': {
    about:
      'A serial number was given another status by hand. What stock and orders do to it, their events tell',
    data: Serial,
  },
  'customer.created': { about: 'A customer was added', data: Customer },
  'customer.updated': {
    about: 'A customer or their addresses changed. Of one who was deleted only the name is left',
    data: Customer,
  },
  'supplier.created': { about: 'A supplier was added', data: SupplierDetail },
  'supplier.updated': { about: 'A supplier changed', data: SupplierDetail },
  'supplier.deleted': { about: 'A supplier was deleted; it is shown as it was before', data: SupplierDetail },
  'warehouse.created': { about: 'A warehouse was added', data: Warehouse },
  'warehouse.updated': { about: 'A warehouse changed, or is the default now or no longer', data: Warehouse },
  'category.created': { about: 'A category was added', data: Category },
  'category.updated': { about: 'A category was renamed or moved', data: Category },
  'category.deleted': { about: 'A category was deleted; it is shown as it was before', data: Category },
  'settings.updated': { about: 'The time zone or the stock policy changed', data: Settings },
  'company.updated': { about: 'The company was renamed, or its subscription renewed', data: Company },
  'user.created': { about: 'A user was added. Admins read this', data: Member },
  'user.updated': {
    about: 'A user got another role, or was banned or let in again. Admins read this',
    data: Member,
  },
  'api_key.created': { about: 'An API key was created. Admins and Managers read this', data: ApiKey },
  'api_key.revoked': { about: 'An API key was revoked. Admins and Managers read this', data: ApiKey },
}

const typesOfKeys = Object.keys(types).filter((type) => ofKeys.test(type))

const mayRead = (role: Role, type: string) =>
  Object.entries(restricted).every(
    ([kind, access]) => !type.startsWith(`${kind}.`) || roleAllows(role, access),
  )
const typesOf = (role: Role) => Object.keys(types).filter((type) => mayRead(role, type))
const typesOfRoles = { Admin: undefined, Manager: typesOf('Manager'), Staff: typesOf('Staff') }

/** `me` is not there for webhooks, which all Admins manage. */
type EventReader = Reader & { me?: Principal }

/** What happens in a tenant. */
export const events: Events<Inventory, EventReader> = {
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
    managers: 'Admins only.',
    limitStatus: 409,
  },
  envelope,
  async reader(ctx, req) {
    const me = await admit(ctx, req)
    const readable = me.keyId === undefined ? typesOfRoles[me.role] : typesOfKeys
    const account = me.keyId === undefined ? `user ${me.userId}` : `key ${me.keyId}`
    return { owner: String(me.tenantId), account, me, ...(readable && { types: readable }) }
  },
  async managers(ctx, owner) {
    const admins = await store.listManagers(ctx.db.sql, Number(owner), ctx.clock.now())
    return { reader: { owner }, emails: admins.map(({ email }) => email) }
  },
  accountable: {
    async person(tx, { me }) {
      const { tenantId, userId } = me as Principal
      return (await store.holdAdmin(tx, tenantId, userId)) ?? forbidden(refusalOf('admin'))
    },
    record: (q, { me }, { action, webhook, host, now }) =>
      recordAudit(q, me as Principal, { action, id: webhook, details: { host }, now }),
  },
}

export const happenings = serveEvents('inventory', events)

import { Id, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, pageFields, paging } from '../lists.ts'
import { Money } from '../money.ts'
import { maxQuantity, SerialNumber } from '../schema.ts'

export const InventoryRow = Named('InventoryRow', {
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  quantity: Type.Integer({ description: 'Units on hand' }),
  reserved_quantity: Type.Integer({ description: 'Of these, units promised to orders' }),
  reorder_level: Type.Integer({ description: 'At or below this there is an alert' }),
})
export type InventoryRow = Type.Static<typeof InventoryRow>

const outlook = {
  available: Type.Integer({ description: 'Units on hand that are not reserved' }),
  incoming: Type.Integer({ description: 'Units ordered from suppliers and not yet received' }),
}

export const StockRow = Named('StockRow', { ...InventoryRow.properties, ...outlook })
export type StockRow = Type.Static<typeof StockRow>

const movementTypes = [
  'receive', 'adjustment', 'transfer_out', 'transfer_in', 'shipment', 'return', 'sync',
] as ['receive', 'adjustment', 'transfer_out', 'transfer_in', 'shipment', 'return', 'sync'] // biome-ignore format: one list

export const Movement = Named('Movement', {
  id: Id,
  product_id: Id,
  sku: Type.String(),
  movement_type: OneOf(movementTypes),
  quantity: Type.Integer({ description: 'Positive into stock, negative out of it' }),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  reference_id: Nullable(Id),
  notes: Nullable(Type.String()),
  created_by_name: Nullable(Type.String()),
  created_at: Time,
})
export type Movement = Type.Static<typeof Movement>

const LedgerEntry = Named('LedgerEntry', {
  ...Movement.properties,
  balance: Type.Integer({ description: 'Units on hand after it' }),
  batch_number: Nullable(Type.String()),
  order_number: Nullable(Type.String({ description: 'Of the order that it shipped or took back' })),
  po_number: Nullable(Type.String({ description: 'Of the purchase order that it received' })),
})
export type LedgerEntry = Type.Static<typeof LedgerEntry>

/** Why a quantity is what it is. */
export const Ledger = Named('Ledger', {
  ...StockRow.properties,
  movements: Type.Array(LedgerEntry),
  ...pageFields,
})

export const Summary = Named('Summary', {
  total_skus: Type.Integer(),
  total_stock_value: Money,
  low_stock_count: Type.Integer(),
  out_of_stock_count: Type.Integer(),
  warehouses: Type.Array(
    Type.Object({
      warehouse_id: Id,
      warehouse_name: Type.String(),
      total_skus: Type.Integer(),
      total_quantity: Type.Integer(),
      total_value: Money,
    }),
  ),
})

const longList = paging(200)

export const InventoryQuery = Type.Object({
  warehouse_id: Type.Optional(Id),
  low_stock: Type.Optional(Type.Boolean({ description: 'Only rows at or below their reorder level' })),
  state: Type.Optional(
    OneOf(['low', 'out'], {
      description: '`low`: at or below the reorder level, but not out; `out`: nothing on hand',
    }),
  ),
  search: Type.Optional(Text(0, 255, { description: 'Part of the name, SKU or barcode' })),
  ...longList,
})
export type InventoryQuery = Type.Static<typeof InventoryQuery>

export const AlertQuery = Type.Object(longList)

export const LedgerQuery = Type.Object(longList)

export const MovementQuery = Type.Object({
  product_id: Type.Optional(Id),
  warehouse_id: Type.Optional(Id),
  type: Type.Optional(OneOf(movementTypes)),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  ...longList,
})
export type MovementQuery = Type.Static<typeof MovementQuery>

const Serials = (description: string) =>
  Type.Optional(Nullable(Type.Array(SerialNumber, { minItems: 1, maxItems: 10_000, description })))

export const Adjustment = Named('Adjustment', {
  product_id: Id,
  warehouse_id: Id,
  quantity: Type.Integer({
    minimum: -maxQuantity,
    maximum: maxQuantity,
    description: 'Positive adds, negative removes; never 0',
  }),
  batch_id: Type.Optional(Nullable(Id)),
  serials: Serials('The units of a serial-tracked product: new ones to add, or those to scrap'),
  notes: Type.Optional(Nullable(Text(0, 1000))),
})
export type Adjustment = Type.Static<typeof Adjustment>

export const Transfer = Named('Transfer', {
  product_id: Id,
  from_warehouse_id: Id,
  to_warehouse_id: Id,
  quantity: Type.Integer({ minimum: 1, maximum: maxQuantity }),
  batch_id: Type.Optional(Nullable(Id)),
  serials: Serials('The units of a serial-tracked product'),
  notes: Type.Optional(Nullable(Text(0, 1000))),
})
export type Transfer = Type.Static<typeof Transfer>

export const ReorderLevel = Named('ReorderLevel', {
  reorder_level: Type.Integer({ minimum: 0, maximum: maxQuantity }),
})

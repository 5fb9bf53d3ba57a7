import { Id, Name, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, paging } from '../lists.ts'
import { maxQuantity } from '../schema.ts'

const batch = {
  id: Id,
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  batch_number: Type.String(),
  lot_number: Nullable(Type.String()),
  manufacture_date: Nullable(Day),
  expiry_date: Nullable(Day),
  quantity: Type.Integer({ description: 'On hand in all warehouses' }),
  stock: Type.Array(
    Type.Object({ warehouse_id: Id, warehouse_name: Type.String(), quantity: Type.Integer() }),
  ),
  notes: Nullable(Type.String()),
}
export const Batch = Named('Batch', { ...batch, created_at: Time })
export type Batch = Type.Static<typeof Batch>

export const ExpiringBatch = Named('ExpiringBatch', {
  ...batch,
  days_until_expiry: Type.Integer({ description: 'Negative once it has expired' }),
  created_at: Time,
})
export type ExpiringBatch = Type.Static<typeof ExpiringBatch>

export const NewBatch = Named('NewBatch', {
  product_id: Id,
  batch_number: Name(100),
  lot_number: Type.Optional(Nullable(Text(0, 100))),
  manufacture_date: Type.Optional(Nullable(Day)),
  expiry_date: Type.Optional(Nullable(Day)),
  quantity: Type.Integer({ minimum: 0, maximum: maxQuantity, default: 0 }),
  warehouse_id: Type.Optional(Nullable(Id)),
  notes: Type.Optional(Nullable(Text(0, 1000))),
})
export type NewBatch = Type.Static<typeof NewBatch>

export const BatchChange = Named('BatchChange', {
  batch_number: Type.Optional(Name(100)),
  lot_number: NewBatch.properties.lot_number,
  manufacture_date: NewBatch.properties.manufacture_date,
  expiry_date: NewBatch.properties.expiry_date,
  notes: NewBatch.properties.notes,
})
export type BatchChange = Type.Static<typeof BatchChange>

const Days = Type.Integer({ minimum: 0, maximum: 36_500 })

export const BatchQuery = Type.Object({
  product_id: Type.Optional(Id),
  warehouse_id: Type.Optional(Type.Integer({ ...Id, description: 'Only batches that this warehouse has' })),
  on_hand: Type.Optional(Type.Boolean({ description: 'Only batches of which some is left' })),
  expiring_days: Type.Optional(Days),
  search: Type.Optional(Text(0, 100, { description: 'Part of the batch or lot number' })),
  sort: Type.Optional(
    OneOf(['expiry_date'], { description: 'The earliest expiry first; without it, newest first' }),
  ),
  ...paging(200),
})
export type BatchQuery = Type.Static<typeof BatchQuery>

/** How many days ahead a batch counts as expiring, unless the request says otherwise. */
export const expiringDays = 30

export const ExpiringQuery = Type.Object({
  days: Type.Integer({ minimum: 0, maximum: 36_500, default: expiringDays }),
  ...paging(200),
})
export type ExpiringQuery = Type.Static<typeof ExpiringQuery>

export const Trace = Named('BatchTrace', {
  batch: Batch,
  receipts: Type.Array(
    Type.Object({
      received_at: Time,
      quantity: Type.Integer(),
      warehouse_id: Id,
      warehouse_name: Type.String(),
      purchase_order_id: Nullable(Id),
      po_number: Nullable(Type.String()),
      supplier_id: Nullable(Id),
      supplier_name: Nullable(Type.String()),
    }),
  ),
  shipments: Type.Array(
    Type.Object({
      shipped_at: Time,
      order_id: Id,
      order_number: Type.String(),
      customer_id: Nullable(Id),
      customer_name: Nullable(Type.String()),
      customer_email: Nullable(Type.String()),
      customer_phone: Nullable(Type.String()),
      quantity: Type.Integer(),
      quantity_returned: Type.Integer(),
    }),
  ),
  total_received: Type.Integer(),
  total_shipped: Type.Integer({ description: 'Less what came back' }),
  other_changes: Type.Integer({ description: 'Adjustments, counts and write-offs' }),
  on_hand: Type.Integer(),
})
export type Trace = Type.Static<typeof Trace>

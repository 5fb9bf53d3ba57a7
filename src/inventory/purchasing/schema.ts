import { Id, Name, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, paging } from '../lists.ts'
import { Money, MoneyInput } from '../money.ts'
import { maxQuantity, SerialNumber, trackingTypes } from '../schema.ts'

export const statuses = ['draft', 'ordered', 'partial', 'received', 'cancelled'] as [
  'draft',
  'ordered',
  'partial',
  'received',
  'cancelled',
]
export type Status = (typeof statuses)[number]
export const Status = OneOf(statuses)

const maxLines = 500
const Units = Type.Integer({ minimum: 1, maximum: maxQuantity })

const PurchaseOrderItem = Named('PurchaseOrderItem', {
  id: Id,
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  quantity: Type.Integer(),
  quantity_received: Type.Integer(),
  unit_cost: Money,
  line_total: Money,
  barcode: Nullable(Type.String()),
  tracking_type: OneOf(trackingTypes, { description: 'Whether a receipt names a batch or serials' }),
})

const summary = {
  id: Id,
  po_number: Type.String({ examples: ['PO-000001'] }),
  supplier_id: Id,
  supplier_name: Type.String(),
  warehouse_id: Id,
  status: Status,
  total_amount: Money,
  expected_date: Nullable(Day),
  notes: Nullable(Type.String()),
}
export const PurchaseOrderSummary = Named('PurchaseOrderSummary', {
  ...summary,
  item_count: Type.Integer({ description: 'Lines' }),
  units: Type.Integer({ description: 'Units ordered, of all lines' }),
  units_received: Type.Integer({ description: 'Units that have arrived, of all lines' }),
  created_at: Time,
})
export type PurchaseOrderSummary = Type.Static<typeof PurchaseOrderSummary>

export const PurchaseOrder = Named('PurchaseOrder', {
  ...summary,
  items: Type.Array(PurchaseOrderItem),
  created_at: Time,
})
export type PurchaseOrder = Type.Static<typeof PurchaseOrder>

export const NewPurchaseOrder = Named('NewPurchaseOrder', {
  supplier_id: Id,
  warehouse_id: Type.Optional(Nullable(Id)),
  items: Type.Array(
    Named('NewPurchaseOrderItem', {
      product_id: Id,
      quantity: Units,
      unit_cost: Type.Optional(Nullable(MoneyInput)),
    }),
    { minItems: 1, maxItems: maxLines },
  ),
  expected_date: Type.Optional(Nullable(Day)),
  notes: Type.Optional(Nullable(Text(0, 1000))),
})
export type NewPurchaseOrder = Type.Static<typeof NewPurchaseOrder>

export const CreatedPurchaseOrder = Named('CreatedPurchaseOrder', {
  id: Id,
  po_number: Type.String(),
  status: Status,
  total_amount: Money,
  created_at: Time,
})

export const PurchaseOrderQuery = Type.Object({
  status: Type.Optional(Status),
  supplier_id: Type.Optional(Id),
  due: Type.Optional(
    Type.Boolean({ description: 'Only ordered or partly received ones that are expected today or earlier' }),
  ),
  search: Type.Optional(Text(0, 255, { description: 'Part of the number or the supplier’s name' })),
  ...paging(200),
})
export type PurchaseOrderQuery = Type.Static<typeof PurchaseOrderQuery>

export const CountsQuery = Type.Pick(PurchaseOrderQuery, ['supplier_id', 'search'])
export type CountsQuery = Type.Static<typeof CountsQuery>

export const PurchaseOrderCounts = Named('PurchaseOrderCounts', {
  total: Type.Integer(),
  by_status: Type.Object(
    Object.fromEntries(statuses.map((status) => [status, Type.Integer()])) as Record<Status, Type.TInteger>,
  ),
  due: Type.Integer({ description: 'Expected today or earlier, and not received' }),
})

export const Receipt = Named('Receipt', {
  items: Type.Array(
    Named('ReceivedItem', {
      purchase_order_item_id: Type.Optional(Nullable(Id)),
      product_id: Type.Optional(Nullable(Id)),
      quantity_received: Units,
      batch_number: Type.Optional(Nullable(Name(100))),
      lot_number: Type.Optional(Nullable(Text(0, 100))),
      manufacture_date: Type.Optional(Nullable(Day)),
      expiry_date: Type.Optional(Nullable(Day)),
      serials: Type.Optional(Nullable(Type.Array(SerialNumber, { minItems: 1, maxItems: 10_000 }))),
    }),
    { minItems: 1, maxItems: maxLines },
  ),
})
export type Receipt = Type.Static<typeof Receipt>

const FilledBackorder = Named('FilledBackorder', {
  order_id: Id,
  order_number: Type.String({ examples: ['ORD-000001'] }),
  order_item_id: Id,
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  quantity: Type.Integer({ description: 'Units that are now reserved for it' }),
  quantity_backordered: Type.Integer({ description: 'Units that it still waits for' }),
})
export type FilledBackorder = Type.Static<typeof FilledBackorder>

export const Received = Named('Received', {
  message: Type.String(),
  received_lines: Type.Integer({ description: 'Lines of this call' }),
  inventory_updated: Type.Integer({ description: 'Stock rows that grew' }),
  status: Status,
  backorders_filled: Type.Integer({ description: 'Order lines that waited for stock and now got units' }),
  filled_backorders: Type.Array(FilledBackorder, { description: 'The first 100 of them' }),
})

import { Id, Named, Nullable, OneOf, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, pageFields, paging } from '../lists.ts'
import { ByStatus, OrderQuery, OrderSummary } from './schema.ts'

const { order_number, customer_id, customer_name, status } = OrderSummary.properties

export const CountsQuery = Type.Pick(OrderQuery, [
  'customer_id',
  'product_id',
  'channel',
  'search',
  'from',
  'to',
])
export type CountsQuery = Type.Static<typeof CountsQuery>

export const OrderCounts = Named('OrderCounts', {
  total: Type.Integer(),
  by_status: ByStatus,
  to_ship: Type.Integer({ description: 'Paid or fulfilling orders with reserved units not yet shipped' }),
  backordered: Type.Integer({ description: 'Orders with units that wait for stock' }),
})

const Backorder = Named('Backorder', {
  order_id: Id,
  order_number,
  order_item_id: Id,
  customer_id,
  customer_name,
  status,
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  quantity: Type.Integer(),
  quantity_backordered: Type.Integer({ description: 'Units that wait for stock' }),
  incoming: Type.Integer({ description: 'Units of the product on their way to this warehouse' }),
  expected_date: Nullable(
    Type.Unsafe<string>({ ...Day, description: 'When the first of them are expected' }),
  ),
  created_at: Time,
})
export type Backorder = Type.Static<typeof Backorder>

export const BackorderQuery = Type.Object({
  product_id: Type.Optional(Id),
  warehouse_id: Type.Optional(Id),
  ...paging(200),
})
export type BackorderQuery = Type.Static<typeof BackorderQuery>

export const Backorders = Type.Object({
  backorders: Type.Array(Backorder),
  units: Type.Integer({ description: 'Units that wait, on all pages' }),
  ...pageFields,
})

const TimelineItem = Named('TimelineItem', {
  order_item_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  quantity: Type.Integer(),
  reason: Nullable(Type.String()),
})

const TimelineEntry = Named('TimelineEntry', {
  type: OneOf(['created', 'reserved', 'backordered', 'status_changed', 'shipped', 'returned']),
  status: Nullable(
    Type.Unsafe<Type.Static<typeof status>>({ ...status, description: 'The status that the order got' }),
  ),
  items: Type.Array(TimelineItem),
  created_by_name: Nullable(Type.String({ description: 'Null for API keys' })),
  created_at: Time,
})
export type TimelineEntry = Type.Static<typeof TimelineEntry>

export const Timeline = Type.Object({ timeline: Type.Array(TimelineEntry), total: Type.Integer() })

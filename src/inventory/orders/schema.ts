import { Id, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, paging } from '../lists.ts'
import { Money, MoneyInput } from '../money.ts'
import { maxQuantity, SerialNumber } from '../schema.ts'

export const statuses = [
  'pending', 'paid', 'fulfilling', 'fulfilled', 'shipped', 'cancelled',
] as ['pending', 'paid', 'fulfilling', 'fulfilled', 'shipped', 'cancelled'] // biome-ignore format: one list
export type Status = (typeof statuses)[number]
const Status = OneOf(statuses)

const channels = ['manual', 'api', 'pos', 'b2b'] as ['manual', 'api', 'pos', 'b2b']
const maxLines = 500

const line = Type.Optional(Nullable(Text(0, 255)))
const ShippingAddress = Named('ShippingAddress', {
  line1: line,
  city: line,
  state: line,
  postcode: line,
  country: line,
})

const OrderItem = Named('OrderItem', {
  id: Id,
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  quantity: Type.Integer(),
  unit_price: Money,
  quantity_fulfilled: Type.Integer(),
  quantity_backordered: Type.Integer({ description: 'Units that wait for stock' }),
  quantity_returned: Type.Integer(),
  quantity_reserved: Type.Integer({ description: 'Units on hand that are kept for this line' }),
})

const summary = {
  id: Id,
  order_number: Type.String({ examples: ['ORD-000001'] }),
  customer_id: Nullable(Id),
  customer_name: Nullable(Type.String()),
  status: Status,
  channel: OneOf(channels),
  total_amount: Money,
  item_count: Type.Integer({ description: 'Number of lines' }),
  warehouse_id: Id,
  shipping_address: Nullable(ShippingAddress),
}
export const OrderSummary = Named('OrderSummary', { ...summary, created_at: Time })
export type OrderSummary = Type.Static<typeof OrderSummary>

export const Order = Named('Order', { ...summary, items: Type.Array(OrderItem), created_at: Time })
export type Order = Type.Static<typeof Order>

export const NewOrder = Named('NewOrder', {
  items: Type.Array(
    Named('NewOrderItem', {
      product_id: Id,
      quantity: Type.Integer({ minimum: 1, maximum: maxQuantity }),
      unit_price: MoneyInput,
    }),
    { minItems: 1, maxItems: maxLines },
  ),
  customer_id: Type.Optional(Nullable(Id)),
  warehouse_id: Type.Optional(Nullable(Id)),
  channel: Type.Optional(Nullable(OneOf(channels))),
  shipping_address: Type.Optional(Nullable(ShippingAddress)),
})
export type NewOrder = Type.Static<typeof NewOrder>

export const CreatedOrder = Named('CreatedOrder', {
  id: Id,
  order_number: Type.String(),
  status: Status,
  total_amount: Money,
  created_at: Time,
})

export const OrderQuery = Type.Object({
  status: Type.Optional(Status),
  customer_id: Type.Optional(Id),
  product_id: Type.Optional(Type.Integer({ ...Id, description: 'Only orders with a line of this product' })),
  channel: Type.Optional(OneOf(channels)),
  search: Type.Optional(Text(0, 255, { description: 'Part of the order number or the customer’s name' })),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  to_ship: Type.Optional(
    Type.Boolean({
      description: 'Only paid or fulfilling orders with reserved units that have not been shipped',
    }),
  ),
  backordered: Type.Optional(Type.Boolean({ description: 'Only orders with units that wait for stock' })),
  ...paging(),
})
export type OrderQuery = Type.Static<typeof OrderQuery>

export const OrderListQuery = Type.Object({
  ...OrderQuery.properties,
  count: Type.Optional(
    Type.Boolean({ description: '`false` leaves out the total, which takes time if many orders match' }),
  ),
})

export const StatusChange = Named('StatusChange', { status: Status })

const lines = <P extends Record<string, Type.TSchema>>(item: P) =>
  Type.Array(Type.Object({ order_item_id: Id, ...item }), { minItems: 1, maxItems: maxLines })
const serials = Type.Optional(Nullable(Type.Array(SerialNumber, { minItems: 1, maxItems: 10_000 })))
const Units = Type.Integer({ minimum: 1, maximum: maxQuantity })

export const Fulfilment = Named('Fulfilment', {
  items: lines({ quantity_fulfilled: Units, batch_id: Type.Optional(Nullable(Id)), serials }),
})
export type Fulfilment = Type.Static<typeof Fulfilment>

export const Return = Named('Return', {
  items: lines({ quantity: Units, serials, reason: Type.Optional(Nullable(Text(0, 1000))) }),
})
export type Return = Type.Static<typeof Return>

export const ByStatus = Type.Object(
  Object.fromEntries(statuses.map((status) => [status, Type.Integer()])) as Record<Status, Type.TInteger>,
)

export const StatsQuery = Type.Object({ from: Type.Optional(Day), to: Type.Optional(Day) })
export type StatsQuery = Type.Static<typeof StatsQuery>

export const Stats = Named('OrderStats', {
  period: Type.Object({ from: Day, to: Day }),
  total_orders: Type.Integer({ description: 'Orders of the period that are not cancelled' }),
  total_revenue: Money,
  avg_order_value: Money,
  by_status: ByStatus,
})

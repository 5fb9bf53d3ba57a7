import { Id, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { paging } from '../lists.ts'
import { SerialNumber } from '../schema.ts'

const statuses = ['in_stock', 'reserved', 'sold', 'returned', 'scrapped'] as [
  'in_stock',
  'reserved',
  'sold',
  'returned',
  'scrapped',
]
export const Status = OneOf(statuses)
export type Status = (typeof statuses)[number]

export const Serial = Named('Serial', {
  id: Id,
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  serial_number: Type.String(),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  status: Status,
  notes: Nullable(Type.String()),
  order_id: Nullable(Id),
  created_at: Time,
})
export type Serial = Type.Static<typeof Serial>

const notes = Type.Optional(Nullable(Text(0, 1000)))

export const NewSerial = Named('NewSerial', {
  product_id: Id,
  serial_number: SerialNumber,
  warehouse_id: Type.Optional(Nullable(Id)),
  notes,
})
export type NewSerial = Type.Static<typeof NewSerial>

export const NewSerials = Named('NewSerials', {
  product_id: Id,
  warehouse_id: Type.Optional(Nullable(Id)),
  serials: Type.Array(SerialNumber, { minItems: 1, maxItems: 10_000 }),
  notes,
})
export type NewSerials = Type.Static<typeof NewSerials>

export const SerialChange = Named('SerialChange', {
  status: Status,
  notes: Type.Optional(Nullable(Text(0, 1000, { description: 'Why; kept in its timeline' }))),
})
export type SerialChange = Type.Static<typeof SerialChange>

const SerialEvent = Named('SerialEvent', {
  type: OneOf(
    [
      'received',
      'reserved',
      'released',
      'transferred',
      'shipped',
      'sold',
      'returned',
      'restocked',
      'scrapped',
    ],
    { description: '`returned` by a customer, `restocked` when it could be sold again later' },
  ),
  status: Type.Unsafe<Status>({ ...Status, description: 'The status that the serial got' }),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  purchase_order_id: Nullable(Id),
  po_number: Nullable(Type.String()),
  supplier_id: Nullable(Id),
  supplier_name: Nullable(Type.String()),
  order_id: Nullable(Id),
  order_number: Nullable(Type.String()),
  customer_id: Nullable(Id),
  customer_name: Nullable(Type.String()),
  notes: Nullable(Type.String()),
  created_by_name: Nullable(Type.String({ description: 'Null for API keys' })),
  created_at: Time,
})
export type SerialEvent = Type.Static<typeof SerialEvent>

export const SerialTimeline = Type.Object({ timeline: Type.Array(SerialEvent), total: Type.Integer() })

export const SerialQuery = Type.Object({
  product_id: Type.Optional(Id),
  status: Type.Optional(Status),
  warehouse_id: Type.Optional(Id),
  search: Type.Optional(Text(0, 100, { description: 'The beginning of the serial number; sorts by number' })),
  ...paging(200),
})
export type SerialQuery = Type.Static<typeof SerialQuery>

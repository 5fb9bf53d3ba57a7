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

export const SerialQuery = Type.Object({
  product_id: Type.Optional(Id),
  status: Type.Optional(Status),
  warehouse_id: Type.Optional(Id),
  search: Type.Optional(Text(0, 100, { description: 'The beginning of the serial number' })),
  ...paging(200),
})
export type SerialQuery = Type.Static<typeof SerialQuery>

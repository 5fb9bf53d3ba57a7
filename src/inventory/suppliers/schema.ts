import { Email, Id, Name, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { paging } from '../lists.ts'
import { Money } from '../money.ts'

const supplier = {
  id: Id,
  name: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  payment_terms: Nullable(Type.String()),
  lead_time_days: Nullable(Type.Integer()),
  product_count: Type.Integer({ description: 'Products ever ordered from them' }),
  open_orders: Type.Integer({
    description: 'Purchase orders that have been placed and not yet arrived in full',
  }),
  created_at: Time,
}
export const Supplier = Named('Supplier', supplier)
export type Supplier = Type.Static<typeof Supplier>

export const SupplierDetail = Named('SupplierDetail', {
  ...supplier,
  total_orders: Type.Integer({ description: 'Purchase orders that have been placed and not cancelled' }),
  total_spent: Type.Unsafe<string>({ ...Money, description: 'What those came to' }),
})
export type SupplierDetail = Type.Static<typeof SupplierDetail>

export const NewSupplier = Named('NewSupplier', {
  name: Name(),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Text(0, 50))),
  payment_terms: Type.Optional(Nullable(Text(0, 255))),
  lead_time_days: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 3650 }))),
})
export type NewSupplier = Type.Static<typeof NewSupplier>

export const SupplierChange = Named('SupplierChange', {
  ...NewSupplier.properties,
  name: Type.Optional(NewSupplier.properties.name),
})
export type SupplierChange = Type.Static<typeof SupplierChange>

const sorts = ['name', '-name', 'created_at', '-created_at'] as ['name', '-name', 'created_at', '-created_at']
export type Sort = (typeof sorts)[number]

export const SupplierQuery = Type.Object({
  search: Type.Optional(Text(0, 255, { description: 'Part of the name or email' })),
  sort: Type.Optional(OneOf(sorts, { description: 'Descending with a minus; without it, oldest first' })),
  ...paging(200),
})
export type SupplierQuery = Type.Static<typeof SupplierQuery>

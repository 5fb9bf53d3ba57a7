import { Email, Id, Name, Named, Nullable, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { paging } from '../lists.ts'

export const Supplier = Named('Supplier', {
  id: Id,
  name: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  payment_terms: Nullable(Type.String()),
  lead_time_days: Nullable(Type.Integer()),
  product_count: Type.Integer({ description: 'Products ever ordered from them' }),
  created_at: Time,
})
export type Supplier = Type.Static<typeof Supplier>

export const NewSupplier = Named('NewSupplier', {
  name: Name(),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Text(0, 50))),
  payment_terms: Type.Optional(Nullable(Text(0, 255))),
  lead_time_days: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 3650 }))),
})
export type NewSupplier = Type.Static<typeof NewSupplier>

export const SupplierQuery = Type.Object(paging(200))

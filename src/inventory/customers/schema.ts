import { Email, Id, Name, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { paging } from '../lists.ts'
import { Money } from '../money.ts'

const customerTypes = ['retail', 'wholesale', 'b2b'] as ['retail', 'wholesale', 'b2b']
const addressTypes = ['billing', 'shipping'] as ['billing', 'shipping']

export const Address = Named('Address', {
  id: Id,
  customer_id: Id,
  type: OneOf(addressTypes),
  line1: Type.String(),
  city: Type.String(),
  state: Nullable(Type.String()),
  postcode: Nullable(Type.String()),
  country: Type.String(),
  is_default: Type.Boolean(),
})
export type Address = Type.Static<typeof Address>

export const NewAddress = Named('NewAddress', {
  type: OneOf(addressTypes),
  line1: Name(),
  city: Name(),
  state: Type.Optional(Nullable(Text(0, 255))),
  postcode: Type.Optional(Nullable(Text(0, 50))),
  country: Name(100),
  is_default: Type.Boolean({ default: false, description: 'Takes the place of the default of its type' }),
})
export type NewAddress = Type.Static<typeof NewAddress>

export const AddressChange = Named('AddressChange', {
  ...NewAddress.properties,
  type: Type.Optional(NewAddress.properties.type),
  line1: Type.Optional(NewAddress.properties.line1),
  city: Type.Optional(NewAddress.properties.city),
  country: Type.Optional(NewAddress.properties.country),
  is_default: Type.Optional(Type.Boolean({ description: 'Takes the place of the default of its type' })),
})
export type AddressChange = Type.Static<typeof AddressChange>

export const Customer = Named('Customer', {
  id: Id,
  name: Type.String(),
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  company: Nullable(Type.String()),
  customer_type: OneOf(customerTypes),
  total_orders: Type.Integer({ description: 'Orders that are not cancelled' }),
  total_spent: Type.Unsafe<string>({ ...Money, description: 'What those came to, less returns' }),
  last_order_at: Nullable(Type.Unsafe<string>({ ...Time, description: 'When the last order was placed' })),
  addresses: Type.Array(Address),
  created_at: Time,
})
export type Customer = Type.Static<typeof Customer>

export const CustomerInput = Named('CustomerInput', {
  name: Name(),
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Text(0, 50))),
  company: Type.Optional(Nullable(Text(0, 255))),
  customer_type: Type.Optional(Nullable(OneOf(customerTypes, { default: 'retail' }))),
})
export type CustomerInput = Type.Static<typeof CustomerInput>

export const CustomerChange = Named('CustomerChange', {
  ...CustomerInput.properties,
  name: Type.Optional(CustomerInput.properties.name),
  customer_type: Type.Optional(Nullable(OneOf(customerTypes))),
})
export type CustomerChange = Type.Static<typeof CustomerChange>

const sorts = ['name', '-name', 'created_at', '-created_at'] as ['name', '-name', 'created_at', '-created_at']
export type Sort = (typeof sorts)[number]

export const CustomerQuery = Type.Object({
  search: Type.Optional(Text(0, 255, { description: 'Part of the name, company or email' })),
  type: Type.Optional(OneOf(customerTypes)),
  sort: Type.Optional(OneOf(sorts, { description: 'Descending with a minus; without it, newest first' })),
  ...paging(),
})
export type CustomerQuery = Type.Static<typeof CustomerQuery>

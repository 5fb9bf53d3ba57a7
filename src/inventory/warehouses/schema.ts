import { Id, Name, Named, Nullable, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const Warehouse = Named('Warehouse', {
  id: Id,
  name: Type.String(),
  code: Type.String(),
  address: Nullable(Type.String()),
  city: Nullable(Type.String()),
  state: Nullable(Type.String()),
  is_default: Type.Boolean(),
  total_skus: Type.Integer(),
  total_value: Type.String(),
  created_at: Time,
})
export type Warehouse = Type.Static<typeof Warehouse>

const fields = {
  address: Type.Optional(Nullable(Text(0, 500))),
  city: Type.Optional(Nullable(Text(0, 255))),
  state: Type.Optional(Nullable(Text(0, 255))),
}

export const NewWarehouse = Named('NewWarehouse', {
  name: Name(),
  code: Name(50),
  ...fields,
  is_default: Type.Boolean({ default: false }),
})
export type NewWarehouse = Type.Static<typeof NewWarehouse>

export const WarehouseChange = Named('WarehouseChange', {
  name: Type.Optional(Name()),
  code: Type.Optional(Name(50)),
  ...fields,
  is_default: Type.Optional(
    Type.Boolean({
      description: '`true` takes over from the present default, which is the only way to end it',
    }),
  ),
})
export type WarehouseChange = Type.Static<typeof WarehouseChange>

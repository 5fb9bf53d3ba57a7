import { Id, Name, Named, Nullable } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const Category = Named('Category', {
  id: Id,
  name: Type.String(),
  parent_id: Nullable(Id),
  product_count: Type.Integer(),
})
export type Category = Type.Static<typeof Category>

export const CategoryInput = Named('CategoryInput', {
  name: Name(),
  parent_id: Type.Optional(Nullable(Id)),
})
export type CategoryInput = Type.Static<typeof CategoryInput>

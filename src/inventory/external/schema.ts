import { Id, Named, Nullable, Pattern, Text } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { CustomerQuery } from '../customers/schema.ts'
import { paging } from '../lists.ts'
import { OrderQuery } from '../orders/schema.ts'
import { ProductQuery } from '../products/schema.ts'
import { maxQuantity } from '../schema.ts'

const Count = Type.Integer({ minimum: 0, maximum: maxQuantity })

const SyncRow = Named('SyncRow', {
  sku: Text(1, 100),
  warehouse_id: Id,
  quantity: Type.Unsafe<number>({ ...Count, description: 'Units on hand, absolute' }),
  expected_quantity: Type.Optional(
    Type.Unsafe<number | null>({ ...Nullable(Count), description: 'Only if this is what is on hand now' }),
  ),
})

export const Sync = Named(
  'Sync',
  { items: Type.Array(SyncRow, { minItems: 1, maxItems: 10_000 }) },
  'The array alone is understood too.',
)

export const Synced = Named('Synced', {
  message: Type.String(),
  updated: Type.Integer({ description: 'Rows that now hold the given quantity' }),
  skipped: Type.Array(Type.Object({ sku: Type.String(), warehouse_id: Id, reason: Type.String() })),
})

/** PostgreSQL does not accept a NUL in text. */
export const SkuPath = Type.Object({
  sku: Text(1, 100, Pattern('^[^\\u0000]*$', 'must not contain NUL characters')),
})

/** The contract has no pages here: a request without `limit` gets the longest page. */
const longest = paging(200)
export const ExternalProductQuery = Type.Object({ search: ProductQuery.properties.search, ...longest })
export const ExternalOrderQuery = Type.Object({
  ...Type.Pick(OrderQuery, ['status', 'from', 'to']).properties,
  ...longest,
})
export const ExternalCustomerQuery = Type.Object({ ...CustomerQuery.properties, ...longest })

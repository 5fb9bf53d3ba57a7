import { Id, Name, Named, Nullable, OneOf, Pattern, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { paging } from '../lists.ts'
import { Money, MoneyInput } from '../money.ts'
import { trackingTypes } from '../schema.ts'

const TrackingType = OneOf(trackingTypes)
const Weight = Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'Kilograms' })

export const Image = Named('Image', { id: Id, url: Type.String(), is_primary: Type.Boolean() })
export type Image = Type.Static<typeof Image>

export const Product = Named('Product', {
  id: Id,
  name: Type.String(),
  sku: Type.String(),
  base_price: Money,
  cost_price: Nullable(Money),
  compare_at_price: Nullable(Money),
  barcode: Nullable(Type.String()),
  vendor: Nullable(Type.String()),
  description: Nullable(Type.String()),
  category_id: Nullable(Id),
  category_name: Nullable(Type.String()),
  tracking_type: TrackingType,
  weight: Nullable(Weight),
  taxable: Type.Boolean(),
  requires_shipping: Type.Boolean(),
  is_active: Type.Boolean(),
  total_stock: Type.Integer(),
  images: Type.Array(Image),
  stock: Type.Array(
    Type.Object({ warehouse_id: Id, warehouse_name: Type.String(), quantity: Type.Integer() }),
  ),
  created_at: Time,
  quantity_on_hand: Type.Integer({ description: 'Units in all warehouses' }),
  reserved: Type.Integer({ description: 'Of these, units promised to orders' }),
  available: Type.Integer({ description: 'Units on hand that are not reserved' }),
  incoming: Type.Integer({ description: 'Units ordered from suppliers and not yet received' }),
})
export type Product = Type.Static<typeof Product>

export const CreatedProduct = Named('CreatedProduct', {
  id: Id,
  name: Type.String(),
  sku: Type.String(),
  base_price: Money,
  cost_price: Nullable(Money),
  tracking_type: TrackingType,
  is_active: Type.Boolean(),
  created_at: Time,
})

export const ProductInput = Named('ProductInput', {
  name: Name(),
  sku: Name(100),
  base_price: MoneyInput,
  cost_price: Type.Optional(Nullable(MoneyInput)),
  compare_at_price: Type.Optional(Nullable(MoneyInput)),
  category_id: Type.Optional(Nullable(Id)),
  barcode: Type.Optional(Nullable(Text(0, 100))),
  vendor: Type.Optional(Nullable(Text(0, 255))),
  tracking_type: Type.Optional(Nullable(OneOf(trackingTypes, { default: 'none' }))),
  weight: Type.Optional(Nullable(Weight)),
  description: Type.Optional(Nullable(Text(0, 10_000))),
  taxable: Type.Optional(Nullable(Type.Boolean())),
  requires_shipping: Type.Optional(Nullable(Type.Boolean())),
  is_active: Type.Optional(Nullable(Type.Boolean())),
})
export type ProductInput = Type.Static<typeof ProductInput>

export const ProductChange = Named('ProductChange', {
  ...ProductInput.properties,
  name: Type.Optional(Name()),
  sku: Type.Optional(Name(100)),
  base_price: Type.Optional(MoneyInput),
  tracking_type: Type.Optional(Nullable(TrackingType)),
})
export type ProductChange = Type.Static<typeof ProductChange>

const sorts = [
  'name', '-name', 'sku', '-sku', 'base_price', '-base_price', 'created_at', '-created_at',
] as ['name', '-name', 'sku', '-sku', 'base_price', '-base_price', 'created_at', '-created_at'] // biome-ignore format: one list
export type Sort = (typeof sorts)[number]

export const ProductQuery = Type.Object({
  search: Type.Optional(Text(0, 255, { description: 'Part of the name, SKU or barcode' })),
  category: Type.Optional(Id),
  active: Type.Optional(Type.Boolean()),
  sort: Type.Optional(OneOf(sorts, { description: 'Descending with a minus; without it, newest first' })),
  ...paging(),
})
export type ProductQuery = Type.Static<typeof ProductQuery>

export const NewImage = Named('NewImage', {
  url: Type.String({
    format: 'uri',
    ...Pattern('^https?://', 'must be a web address that begins with http:// or https://'),
    maxLength: 2000,
  }),
  is_primary: Type.Boolean({ default: false, description: 'The first image always is' }),
})
export type NewImage = Type.Static<typeof NewImage>

const asCell = Nullable(Type.String({ description: 'As in an export' }))
const ImportedLine = Named('ImportedLine', {
  line: Type.Integer(),
  sku: Type.String(),
  outcome: OneOf(['created', 'updated']),
  changes: Type.Array(Type.Object({ field: Type.String(), before: asCell, after: asCell }), {
    description: 'The fields that change; empty for a new product',
  }),
})
export type ImportedLine = Type.Static<typeof ImportedLine>

export const ImportResult = Named('ImportResult', {
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Array(Type.Object({ line: Type.Integer(), error: Type.String() }), {
    description:
      'Up to 1,000 bad lines; if there are more, a last entry for the line where the import stopped',
  }),
  lines: Type.Optional(
    Type.Array(ImportedLine, {
      description: 'With `lines=true`: the first 1,000 lines that create or change a product',
    }),
  ),
})
export type ImportResult = Type.Static<typeof ImportResult>

import { Id, Name, Named, Nullable, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { pageFields, paging } from '../lists.ts'
import { Money } from '../money.ts'
import { maxQuantity, SerialNumber, trackingTypes } from '../schema.ts'

export const statuses = ['open', 'review', 'posted', 'cancelled'] as ['open', 'review', 'posted', 'cancelled']
export type Status = (typeof statuses)[number]
export const Status = OneOf(statuses)

export const Count = Named('Count', {
  id: Id,
  count_number: Type.String({ examples: ['CNT-000001'] }),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  category_id: Nullable(Id),
  category_name: Nullable(Type.String()),
  status: Status,
  notes: Nullable(Type.String()),
  line_count: Type.Integer({ description: 'Products and batches that were counted' }),
  created_by_name: Nullable(Type.String()),
  closed_by_name: Nullable(Type.String({ description: 'Who posted or cancelled it' })),
  created_at: Time,
  closed_at: Nullable(Time),
})
export type Count = Type.Static<typeof Count>

export const NewCount = Named('NewCount', {
  warehouse_id: Type.Optional(Nullable(Id)),
  category_id: Type.Optional(Nullable(Id)),
  notes: Type.Optional(Nullable(Text(0, 1000))),
})
export type NewCount = Type.Static<typeof NewCount>

export const CountQuery = Type.Object({
  status: Type.Optional(Status),
  warehouse_id: Type.Optional(Id),
  ...paging(200),
})
export type CountQuery = Type.Static<typeof CountQuery>

export const StatusChange = Named('CountStatusChange', { status: Status })

export const Entries = Named('CountEntries', {
  entries: Type.Array(
    Named('CountEntry', {
      product_id: Id,
      quantity: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: maxQuantity }))),
      mode: OneOf(['add', 'replace'], {
        default: 'add',
        description: '`add` to what was counted of it so far, or `replace` that',
      }),
      batch_number: Type.Optional(Nullable(Name(100))),
      serials: Type.Optional(
        Nullable(
          Type.Array(SerialNumber, {
            minItems: 0,
            maxItems: 1000,
            description: 'Instead of a quantity, for products that are tracked by serial number',
          }),
        ),
      ),
    }),
    { minItems: 1, maxItems: 500 },
  ),
})
export type Entries = Type.Static<typeof Entries>

export const CountLine = Named('CountLine', {
  id: Id,
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  batch_number: Nullable(Type.String()),
  counted_quantity: Type.Integer(),
  expected_quantity: Nullable(
    Type.Integer({ description: 'What the ledger said when it was counted. Hidden while people count' }),
  ),
  difference: Nullable(Type.Integer({ description: 'What posting adds to the stock' })),
  difference_value: Nullable(Money),
  missing_serials: Nullable(Type.Array(Type.String())),
  found_serials: Nullable(Type.Array(Type.String())),
  counted_by_name: Nullable(Type.String({ description: 'Who entered last' })),
  counted_at: Time,
})
export type CountLine = Type.Static<typeof CountLine>

const CountSummary = Named('CountSummary', {
  units_missing: Type.Integer(),
  units_found: Type.Integer(),
  value_missing: Money,
  value_found: Money,
})
export type Summary = Type.Static<typeof CountSummary>

export const CountLines = Type.Object({
  lines: Type.Array(CountLine),
  summary: Nullable(CountSummary),
  ...pageFields,
})

export const LineQuery = Type.Object({
  different: Type.Optional(
    Type.Boolean({ description: 'Only lines with a difference, once differences are shown' }),
  ),
  sort: OneOf(['id', '-id'], { default: 'id', description: 'By first entry, the latest first with `-id`' }),
  ...paging(200),
})
export type LineQuery = Type.Static<typeof LineQuery>

const Uncounted = Named('UncountedProduct', {
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  tracking_type: OneOf(trackingTypes),
  quantity: Nullable(Type.Integer({ description: 'Units on hand. Hidden while people count' })),
})
export type Uncounted = Type.Static<typeof Uncounted>

export const UncountedQuery = Type.Object(paging(200))
export const UncountedList = Type.Object({ uncounted: Type.Array(Uncounted), ...pageFields })

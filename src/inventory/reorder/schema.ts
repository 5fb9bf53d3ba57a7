import { Id, Named, Nullable } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, paging } from '../lists.ts'
import { Money } from '../money.ts'
import { CreatedPurchaseOrder } from '../purchasing/schema.ts'
import { maxQuantity } from '../schema.ts'

export const Suggestion = Named('ReorderSuggestion', {
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  supplier_id: Type.Unsafe<number | null>({ ...Nullable(Id), description: 'Who delivered it last' }),
  supplier_name: Nullable(Type.String()),
  unit_cost: Type.Unsafe<string | null>({ ...Nullable(Money), description: 'Their last price' }),
  on_hand: Type.Integer(),
  reserved: Type.Integer(),
  backordered: Type.Integer(),
  on_order: Type.Integer({ description: 'Still to come from open purchase orders' }),
  available: Type.Integer({ description: 'on_hand - reserved - backordered + on_order' }),
  reorder_level: Type.Integer(),
  recent_demand: Type.Integer({ description: 'Units shipped in the last 30 days, less returns' }),
  lead_time_days: Type.Integer({ description: 'Of the supplier, 7 where it is not known' }),
  lead_time_demand: Type.Integer({ description: 'Units that go out, at that pace, before a delivery comes' }),
  suggested_quantity: Type.Integer(),
  reason: Type.String(),
})
export type Suggestion = Type.Static<typeof Suggestion>

export const SuggestionQuery = Type.Object({
  warehouse_id: Type.Optional(Id),
  supplier_id: Type.Optional(Id),
  ...paging(200),
})
export type SuggestionQuery = Type.Static<typeof SuggestionQuery>

const ChosenSuggestion = Named('ChosenSuggestion', {
  product_id: Id,
  warehouse_id: Id,
  quantity: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxQuantity, description: 'Without it, as suggested' }),
  ),
  supplier_id: Type.Optional(Nullable(Id)),
})
export type ChosenSuggestion = Type.Static<typeof ChosenSuggestion>

export const DraftRequest = Named('DraftRequest', {
  warehouse_id: Type.Optional(Nullable(Id)),
  supplier_id: Type.Optional(Nullable(Id)),
  items: Type.Optional(
    Nullable(
      Type.Array(ChosenSuggestion, {
        minItems: 1,
        maxItems: 1000,
        description: 'Only these suggestions; without it, all of them',
      }),
    ),
  ),
})
export type DraftRequest = Type.Static<typeof DraftRequest>

export const Drafts = Named('Drafts', {
  purchase_orders: Type.Array(
    Type.Object({
      ...CreatedPurchaseOrder.properties,
      supplier_id: Id,
      supplier_name: Type.String(),
      warehouse_id: Id,
      expected_date: Day,
      item_count: Type.Integer(),
    }),
  ),
  skipped: Type.Array(
    Type.Object({ product_id: Id, sku: Type.String(), warehouse_id: Id, reason: Type.String() }),
  ),
})

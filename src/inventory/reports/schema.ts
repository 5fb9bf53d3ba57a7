import { csvFields } from '#platform/http/response/csv.ts'
import { Id, Named, OneOf } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { Day, paging } from '../lists.ts'
import { Money } from '../money.ts'
import { OrderSummary } from '../orders/schema.ts'
import type { RankedBy } from './ranking.ts'

export const Dashboard = Named('Dashboard', {
  today: Type.Object({
    revenue: Money,
    orders: Type.Integer(),
    units_sold: Type.Integer(),
  }),
  open_orders: Type.Integer({ description: 'Pending, paid or fulfilling' }),
  low_stock_count: Type.Integer(),
  out_of_stock_count: Type.Integer(),
  recent_orders: Type.Array(OrderSummary),
})

const figures = {
  revenue: Money,
  cogs: Money,
  gross_margin: Money,
  gross_margin_pct: Type.String({ pattern: '^-?\\d+\\.\\d{2}$' }),
}
const { cogs: _, ...margins } = figures
const sales = { orders: Type.Integer({ description: 'Placed and not cancelled' }), ...margins }

export const Today = Named('Today', {
  orders_to_ship: Type.Integer({ description: 'Paid or fulfilling, with reserved units not yet shipped' }),
  backorders: Type.Integer({ description: 'Order lines that wait for stock' }),
  low_stock: Type.Integer({ description: 'Stock rows at or below their reorder level, but not out' }),
  out_of_stock: Type.Integer({ description: 'Stock rows with nothing on hand' }),
  purchase_orders_due: Type.Integer({ description: 'Expected today or earlier, and not received' }),
  batches_expiring: Type.Integer({ description: 'On hand, and expired or expiring within 30 days' }),
  last_30_days: Type.Object({
    from: Day,
    to: Day,
    ...sales,
    days: Type.Array(Type.Object({ date: Day, ...sales })),
  }),
  recent_orders: Type.Array(OrderSummary),
})

const Figures = Named('Figures', figures)
const Period = Named('Period', { period: Type.String({ examples: ['2026-01-31', '2026-01'] }), ...figures })

export const Financial = Named('FinancialReport', {
  from: Day,
  to: Day,
  summary: Figures,
  periods: Type.Array(Period),
})
export type Financial = Type.Static<typeof Financial>

const GroupBy = OneOf(['day', 'week', 'month'])
export type GroupBy = Type.Static<typeof GroupBy>

export const PeriodQuery = Type.Object({
  from: Type.Optional(Day),
  to: Type.Optional(Day),
  group_by: Type.Optional(GroupBy),
})
export type PeriodQuery = Type.Static<typeof PeriodQuery>

export const PeriodExport = Type.Object({ ...PeriodQuery.properties, ...csvFields })
export type PeriodExport = Type.Static<typeof PeriodExport>

const sorts = [
  '-cogs', 'cogs', '-revenue', 'revenue', '-gross_margin', 'gross_margin', '-quantity', 'quantity',
] satisfies RankedBy[] // biome-ignore format: one list
const sort = { sort: OneOf(sorts, { default: '-cogs', description: 'Descending with a minus' }) }

export const CogsQuery = Type.Object({ ...PeriodQuery.properties, ...sort, ...paging(200) })
export type CogsQuery = Type.Static<typeof CogsQuery>

const { group_by: ___, ...days } = PeriodQuery.properties
export const CogsExport = Type.Object({ ...days, ...sort, ...csvFields })
export type CogsExport = Type.Static<typeof CogsExport>

const CogsItem = Named('CogsItem', {
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  quantity: Type.Integer({ description: 'Units shipped, less units returned' }),
  ...figures,
})
export type CogsItem = Type.Static<typeof CogsItem>

export const Cogs = Named('CogsReport', {
  from: Day,
  to: Day,
  total_cogs: Money,
  summary: Figures,
  items: Type.Array(CogsItem),
  total: Type.Integer({ description: 'Number of items' }),
  page: Type.Integer(),
  limit: Type.Integer(),
  periods: Type.Optional(Type.Array(Period)),
})

const asOf = { as_of: Type.Optional(Day) }

export const ValuationQuery = Type.Object({ ...asOf, ...paging(200) })
export type ValuationQuery = Type.Static<typeof ValuationQuery>

export const ValuationExport = Type.Object({ ...asOf, ...csvFields })
export type ValuationExport = Type.Static<typeof ValuationExport>

const ValuedRow = Named('ValuedRow', {
  product_id: Id,
  sku: Type.String(),
  product_name: Type.String(),
  warehouse_id: Id,
  warehouse_name: Type.String(),
  quantity: Type.Integer(),
  unit_cost: Type.String({
    description: 'The moving average, with six decimals',
    pattern: '^\\d+\\.\\d{6}$',
  }),
  total_value: Money,
})
export type ValuedRow = Type.Static<typeof ValuedRow>

export const Valuation = Named('InventoryReport', {
  valuation_date: Day,
  total_value: Money,
  items: Type.Array(ValuedRow),
  total: Type.Integer({ description: 'Number of items' }),
  page: Type.Integer(),
  limit: Type.Integer(),
})

export const ValueHistory = Named('ValueHistory', {
  from: Day,
  to: Day,
  periods: Type.Array(
    Type.Object({
      period: Period.properties.period,
      total_value: Money,
      items: Type.Integer({ description: 'Stock rows that held something' }),
    }),
  ),
})
export type ValueHistory = Type.Static<typeof ValueHistory>

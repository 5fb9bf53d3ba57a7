import { type Module, who } from '../access.ts'
import * as reports from './reports.ts'
import { Cogs, CogsQuery, Dashboard, Financial, PeriodQuery, Valuation, ValuationQuery } from './schema.ts'

const tags = ['Reports']
const config = { access: 'staff' } as const

export const reportRoutes: Module = (app, ctx) => {
  app.get(
    '/api/reports/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        summary: 'Today at a glance',
        tags,
        response: { 200: Dashboard },
      },
      config,
    },
    (req) => reports.dashboard(ctx, who(req)),
  )

  app.get(
    '/api/reports/financial',
    {
      schema: {
        operationId: 'getFinancialReport',
        summary: 'Revenue, cost and margin of what was shipped, less returns',
        tags,
        querystring: PeriodQuery,
        response: { 200: Financial },
      },
      config,
    },
    (req) => reports.financial(ctx, who(req), req.query),
  )

  app.get(
    '/api/reports/inventory',
    {
      schema: {
        operationId: 'getInventoryReport',
        summary: 'What the stock is worth, now or at the end of a day',
        tags,
        querystring: ValuationQuery,
        response: { 200: Valuation },
      },
      config,
    },
    (req) => reports.valuation(ctx, who(req), req.query),
  )

  app.get(
    '/api/reports/cogs',
    {
      schema: {
        operationId: 'getCogsReport',
        summary: 'Cost of what was shipped by product, the most expensive first',
        tags,
        querystring: CogsQuery,
        response: { 200: Cogs },
      },
      config,
    },
    (req) => reports.cogs(ctx, who(req), req.query),
  )
}

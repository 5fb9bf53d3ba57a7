import { type Module, who } from '../access.ts'
import * as reports from './reports.ts'
import {
  Cogs, CogsQuery, Dashboard, Financial, PeriodQuery, Today, Valuation,
  ValuationQuery, ValueHistory,
} from './schema.ts' // biome-ignore format: one list

const tags = ['Reports']
const config = { access: 'staff' } as const

export const reportRoutes: Module = (app, ctx) => {
  app.get(
    '/api/reports/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        summary: 'Get the dashboard',
        description:
          'Returns today at a glance: revenue, orders and units sold, open orders, stock that is low or ' +
          "out, and the latest orders. Today is a day in the company's time zone.",
        tags,
        response: { 200: Dashboard },
      },
      config,
    },
    (req) => reports.dashboard(ctx, who(req)),
  )

  app.get(
    '/api/reports/today',
    {
      schema: {
        operationId: 'getToday',
        summary: 'Get what needs a hand today',
        description:
          'Returns how many orders can be shipped, how many lines wait for stock, what is low or out, which ' +
          'purchase orders are due and which batches expire, each the total of the list that shows them; ' +
          'revenue, orders and margin of the last 30 days, by day as in the financial report; and the ' +
          'latest orders.',
        tags,
        response: { 200: Today },
      },
      config,
    },
    (req) => reports.today(ctx, who(req)),
  )

  app.get(
    '/api/reports/financial',
    {
      schema: {
        operationId: 'getFinancialReport',
        summary: 'Get the financial report',
        description:
          'Returns revenue, cost of goods sold and gross margin of a period, in total and by day, week or ' +
          'month. Sales count when units ship, and returns are deducted when they happen. The default ' +
          'period is the last 30 days.',
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
        summary: 'Get the inventory valuation',
        description:
          'Returns what the stock is worth at its moving average cost, by product, now or with `as_of` at ' +
          'the end of a day. Past days are calculated from the ledger.',
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
        summary: 'Get cost of goods sold',
        description:
          'Returns what was shipped in a period, less returns, by product: units, revenue, cost and margin. ' +
          'The highest cost comes first, unless `sort` says otherwise. The default period is the last 30 days.',
        tags,
        querystring: CogsQuery,
        response: { 200: Cogs },
      },
      config,
    },
    (req) => reports.cogs(ctx, who(req), req.query),
  )

  app.get(
    '/api/reports/inventory/history',
    {
      schema: {
        operationId: 'getValueHistory',
        summary: 'Get the value of the stock over time',
        description:
          'Returns what the stock was worth at the end of each day, week or month of a period, as the ' +
          'valuation as of its last day says. The default period is the last 30 days.',
        tags,
        querystring: PeriodQuery,
        response: { 200: ValueHistory },
      },
      config,
    },
    (req) => reports.valueHistory(ctx, who(req), req.query),
  )
}

import { csvFile, csvHeaders } from '#platform/http/response/csv.ts'
import { type Module, who } from '../access.ts'
import * as exports from './exports.ts'
import { CogsExport, PeriodExport, ValuationExport } from './schema.ts'

const tags = ['Reports']
const config = { access: 'staff' } as const
const csv = 'RFC 4180, UTF-8; what a spreadsheet would run as a formula is made harmless.'

/** The reports as files. */
export const reportExportRoutes: Module = (app, ctx) => {
  app.get(
    '/api/reports/financial/export',
    {
      schema: {
        operationId: 'exportFinancialReport',
        summary: 'Export the financial report',
        description: `Returns the periods of the financial report as CSV. ${csv}`,
        tags,
        querystring: PeriodExport,
        response: { 200: csvFile('One line for each period') },
      },
      config,
    },
    async (req, reply) => {
      const file = await exports.exportFinancial(ctx, who(req), req.query)
      reply.headers(csvHeaders('financial.csv'))
      return file
    },
  )

  app.get(
    '/api/reports/cogs/export',
    {
      schema: {
        operationId: 'exportCogsReport',
        summary: 'Export sales by product',
        description: `Returns what was sold of each product as CSV, all of them. ${csv}`,
        tags,
        querystring: CogsExport,
        response: { 200: csvFile('One line for each product') },
      },
      config,
    },
    async (req, reply) => {
      const file = await exports.exportSales(ctx, who(req), req.query)
      reply.headers(csvHeaders('sales-by-product.csv'))
      return file
    },
  )

  app.get(
    '/api/reports/inventory/export',
    {
      schema: {
        operationId: 'exportInventoryReport',
        summary: 'Export the inventory valuation',
        description: `Returns the valuation now or \`as_of\` the end of a day as CSV, all of it. ${csv}`,
        tags,
        querystring: ValuationExport,
        response: { 200: csvFile('One line for each product and warehouse') },
      },
      config,
    },
    async (req, reply) => {
      const file = await exports.exportValuation(ctx, who(req), req.query)
      reply.headers(csvHeaders('stock-valuation.csv'))
      return file
    },
  )
}

import { PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import * as overview from './overview.ts'
import { BackorderQuery, Backorders, CountsQuery, OrderCounts, Timeline } from './overview-schema.ts'

const tags = ['Orders']
const config = { access: 'staff' } as const

export const orderOverviewRoutes: Module = (app, ctx) => {
  app.get(
    '/api/orders/counts',
    {
      schema: {
        operationId: 'countOrders',
        summary: 'Count orders by status',
        description:
          'Returns how many orders have each status, how many can be shipped now, and how many wait for ' +
          'stock, under the same filters as the list.',
        tags,
        querystring: CountsQuery,
        response: { 200: OrderCounts },
      },
      config,
    },
    (req) => overview.countByStatus(ctx, who(req), req.query),
  )

  app.get(
    '/api/orders/backorders',
    {
      schema: {
        operationId: 'listBackorders',
        summary: 'List backorders',
        description:
          'Returns the order lines that wait for stock, in the order in which they will be filled, with ' +
          'the units of their product that are on their way to the same warehouse.',
        tags,
        querystring: BackorderQuery,
        response: { 200: Backorders },
      },
      config,
    },
    (req) => overview.listBackorders(ctx, who(req), req.query),
  )

  app.get(
    '/api/orders/:id/timeline',
    {
      schema: {
        operationId: 'getOrderTimeline',
        summary: "Get an order's timeline",
        description:
          'Returns what happened to an order, oldest first, with the units concerned and by whom: that it ' +
          'was placed, what was reserved or backordered, its status, shipments and returns.',
        tags,
        params: PathId,
        response: { 200: Timeline },
      },
      config,
    },
    (req) => overview.readTimeline(ctx, who(req), req.params.id),
  )
}

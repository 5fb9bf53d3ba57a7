import { Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { csvFile, csvHeaders } from '../schema.ts'
import * as orders from './orders.ts'
import {
  CreatedOrder, Fulfilment, NewOrder, Order, OrderQuery, OrderSummary, Return, Stats, StatsQuery, StatusChange,
} from './schema.ts' // biome-ignore format: one list

const tags = ['Orders']
const read = { access: 'staff' } as const
const status = StatusChange.properties.status

export const orderRoutes: Module = (app, ctx) => {
  app.get(
    '/api/orders',
    {
      schema: {
        operationId: 'listOrders',
        summary: 'Orders, newest first',
        tags,
        querystring: OrderQuery,
        response: { 200: Type.Object({ orders: Type.Array(OrderSummary), ...pageFields }) },
      },
      config: read,
    },
    (req) => orders.listOrders(ctx, who(req), req.query),
  )

  app.get(
    '/api/orders/:id',
    {
      schema: {
        operationId: 'getOrder',
        summary: 'One order with its items',
        tags,
        params: PathId,
        response: { 200: Order },
      },
      config: read,
    },
    (req) => orders.readOrder(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/orders',
    {
      schema: {
        operationId: 'createOrder',
        summary: 'Place an order: reserves stock, and lets wait what is not there',
        tags,
        body: NewOrder,
        response: { 201: CreatedOrder },
      },
      config: { access: 'staff', idempotent: true, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return orders.createOrder(ctx, who(req), req.body)
    },
  )

  app.patch(
    '/api/orders/:id/status',
    {
      schema: {
        operationId: 'changeOrderStatus',
        summary: 'Move an order on, or cancel it',
        tags,
        params: PathId,
        body: StatusChange,
        response: { 200: Type.Object({ message: Type.String(), status }) },
      },
      config: { access: 'staff', idempotent: true },
    },
    (req) => orders.changeStatus(ctx, who(req), req.params.id, req.body.status),
  )

  app.post(
    '/api/orders/:id/fulfill',
    {
      schema: {
        operationId: 'fulfillOrder',
        summary: 'Ship units of an order',
        tags,
        params: PathId,
        body: Fulfilment,
        response: {
          200: Type.Object({
            message: Type.String(),
            fulfilled_items: Type.Integer({ description: 'Lines of this call' }),
            order_status: status,
          }),
        },
      },
      config: { access: 'manager', idempotent: true },
    },
    (req) => orders.fulfilOrder(ctx, who(req), req.params.id, req.body),
  )

  app.post(
    '/api/orders/:id/returns',
    {
      schema: {
        operationId: 'returnOrderItems',
        summary: 'Take shipped units back into stock',
        tags,
        params: PathId,
        body: Return,
        response: {
          201: Type.Object({
            message: Type.String(),
            returned_items: Type.Integer({ description: 'Lines of this call' }),
            order_status: status,
          }),
        },
      },
      config: { access: 'manager', idempotent: true },
    },
    async (req, reply) => {
      reply.code(201)
      return orders.returnItems(ctx, who(req), req.params.id, req.body)
    },
  )

  app.get(
    '/api/orders/stats',
    {
      schema: {
        operationId: 'getOrderStats',
        summary: 'Orders of a period, the last 30 days by default',
        tags,
        querystring: StatsQuery,
        response: { 200: Stats },
      },
      config: read,
    },
    (req) => orders.orderStats(ctx, who(req), req.query),
  )

  app.get(
    '/api/orders/export',
    {
      schema: {
        operationId: 'exportOrders',
        summary: 'Orders as CSV, by the same filters as the list',
        tags,
        querystring: Type.Omit(OrderQuery, ['page', 'limit']),
        response: { 200: csvFile('One line for each order') },
      },
      config: read,
    },
    async (req, reply) => {
      reply.headers(csvHeaders('orders.csv'))
      return orders.exportOrders(ctx, who(req), req.query)
    },
  )
}

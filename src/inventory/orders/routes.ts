import { csvFields, csvFile, csvHeaders } from '#platform/http/response/csv.ts'
import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import * as orders from './orders.ts'
import { orderRefusals } from './refusals.ts'
import {
  CreatedOrder, Fulfilment, NewOrder, Order, OrderListQuery, OrderQuery, OrderSummary, Return, Stats, StatsQuery, StatusChange,
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
        summary: 'List orders',
        description:
          'Returns orders, newest first, 50 on a page by default and at most 200. Filter by status, ' +
          "customer, channel, and date of creation; `search` matches the order number and the customer's " +
          "name. `from` and `to` are inclusive days in the company's time zone. `to_ship` returns what can " +
          'be packed now, `backordered` what waits for stock.',
        tags,
        querystring: OrderListQuery,
        response: {
          200: Type.Object({
            orders: Type.Array(OrderSummary),
            ...pageFields,
            total: Type.Optional(pageFields.total),
          }),
        },
      },
      config: read,
    },
    (req) => {
      const { count = true, ...query } = req.query
      const list = count ? orders.listOrders : orders.listOrdersWithoutTotal
      return list(ctx, who(req), query)
    },
  )

  app.get(
    '/api/orders/:id',
    {
      schema: {
        operationId: 'getOrder',
        summary: 'Get an order',
        description:
          'Returns an order with its lines: how many units were ordered, shipped, returned, and still wait ' +
          'for stock.',
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
        summary: 'Create an order',
        description:
          'Places an order of up to 500 lines and reserves what is available in its warehouse, the default ' +
          'one if none is given. What is not there is backordered and reserved as stock arrives; with the ' +
          'setting `oversell_policy: reject` the order is refused with 400 instead. Order numbers have no ' +
          'gaps. Every role may place orders.',
        tags,
        body: NewOrder,
        response: { 201: CreatedOrder },
      },
      config: { access: 'staff', idempotent: true, refuses: [404], created: '/api/orders/{id}' },
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
        summary: "Change an order's status",
        description:
          'Moves an order on: from pending to paid, fulfilling or cancelled; from paid to fulfilling or ' +
          'cancelled; from fulfilling to fulfilled or cancelled; from fulfilled to shipped. `fulfilled` ' +
          'ships what is still open, and `cancelled` releases reservations and puts shipped units back. ' +
          'Any other move is refused with 400.',
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
        summary: 'Fulfill an order',
        description:
          'Ships units of an order and takes them out of stock. `quantity_fulfilled` is the number of ' +
          'units in this call; more than is open, or than can be taken from stock, is refused with 400 and ' +
          'changes nothing. Without `batch_id` or `serials`, the earliest expiry and the oldest serial ' +
          'numbers go first. Admins and Managers may do this.',
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
        summary: 'Return order items',
        description:
          'Takes shipped units back into stock, at the cost they left with. At most what was shipped and ' +
          'not yet returned can come back. Returns lower revenue in the reports when they happen. Admins ' +
          'and Managers may do this.',
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
        summary: 'Get order statistics',
        description:
          'Returns the number of orders, revenue and average value of a period, and the number of orders ' +
          'in each status. The default is the last 30 days. Cancelled orders count only in their own ' +
          'status.',
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
        summary: 'Export orders',
        description:
          'Returns orders as CSV (RFC 4180, UTF-8), with the same filters as the list and without pages. ' +
          'Values that a spreadsheet would run as formulas are made harmless.',
        tags,
        querystring: Type.Object({ ...Type.Omit(OrderQuery, ['page', 'limit']).properties, ...csvFields }),
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
orderRoutes.refusals = orderRefusals

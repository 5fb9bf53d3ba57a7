import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { listCustomers } from '../customers/customers.ts'
import { Customer } from '../customers/schema.ts'
import { pageFields } from '../lists.ts'
import { createOrder, listOrders } from '../orders/orders.ts'
import { CreatedOrder, NewOrder, OrderSummary } from '../orders/schema.ts'
import { listProducts, readProductBySku } from '../products/products.ts'
import { Product } from '../products/schema.ts'
import { InventoryQuery, StockRow } from '../stock/schema.ts'
import { listStock, syncStock } from '../stock/stock.ts'
import {
  ExternalCustomerQuery,
  ExternalOrderQuery,
  ExternalProductQuery,
  SkuPath,
  Sync,
  Synced,
} from './schema.ts'

const tags = ['External API']
const read = { access: 'key:read' } as const
const write = { access: 'key:write', idempotent: true } as const
const syncLimit = 8 * 1024 * 1024

/** What other systems may do with an API key. */
export const externalRoutes: Module = (app, ctx) => {
  app.get(
    '/api/external/products',
    {
      schema: {
        operationId: 'listExternalProducts',
        summary: 'List products',
        description: 'Returns the products on sale. It needs an API key with the `read` permission.',
        tags,
        querystring: ExternalProductQuery,
        response: { 200: Type.Object({ products: Type.Array(Product), ...pageFields }) },
      },
      config: read,
    },
    (req) => listProducts(ctx, who(req), { ...req.query, active: true }),
  )

  app.get(
    '/api/external/products/:sku',
    {
      schema: {
        operationId: 'getExternalProduct',
        summary: 'Get a product by SKU',
        description:
          'Returns a product with its price and its stock in each warehouse. It needs an API key with the ' +
          '`read` permission.',
        tags,
        params: SkuPath,
        response: { 200: Product },
      },
      config: read,
    },
    (req) => readProductBySku(ctx, who(req), req.params.sku),
  )

  app.get(
    '/api/external/inventory',
    {
      schema: {
        operationId: 'listExternalInventory',
        summary: 'List stock',
        description:
          'Returns stock by product and warehouse. It needs an API key with the `read` permission.',
        tags,
        querystring: InventoryQuery,
        response: { 200: Type.Object({ inventory: Type.Array(StockRow), ...pageFields }) },
      },
      config: read,
    },
    (req) => listStock(ctx, who(req), req.query),
  )

  app.post(
    '/api/external/inventory/sync',
    {
      bodyLimit: syncLimit,
      preValidation: async (req) => {
        if (Array.isArray(req.body)) req.body = { items: req.body }
      },
      schema: {
        operationId: 'syncInventory',
        summary: 'Sync stock',
        description:
          'Sets absolute quantities on hand, up to 10,000 in one call. With `expected_quantity`, a row ' +
          'changes only if it still has that quantity. Rows that cannot be set are skipped and listed with ' +
          'the reason, serial-tracked products among them. A count below what is reserved turns the newest ' +
          'reservations into backorders. It needs an API key with the `write` permission, whose creator is ' +
          'Admin or Manager now.',
        tags,
        body: Sync,
        response: { 200: Synced },
      },
      config: { ...write, access: 'key:stock', refuses: [404] },
    },
    (req) => syncStock(ctx, who(req), req.body.items),
  )

  app.get(
    '/api/external/orders',
    {
      schema: {
        operationId: 'listExternalOrders',
        summary: 'List orders',
        description:
          'Returns orders, newest first. Filter by status and by days from and to, inclusive. It needs an ' +
          'API key with the `read` permission.',
        tags,
        querystring: ExternalOrderQuery,
        response: { 200: Type.Object({ orders: Type.Array(OrderSummary), ...pageFields }) },
      },
      config: read,
    },
    (req) => listOrders(ctx, who(req), req.query),
  )

  app.post(
    '/api/external/orders',
    {
      schema: {
        operationId: 'createExternalOrder',
        summary: 'Create an order',
        description:
          'Places an order as the orders of the application are placed; its channel is `api` unless given. ' +
          'Send an `Idempotency-Key`, so that a repeat after a lost connection does not order twice. It ' +
          'needs an API key with the `write` permission.',
        tags,
        body: NewOrder,
        response: { 201: CreatedOrder },
      },
      config: { ...write, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return createOrder(ctx, who(req), req.body, 'api')
    },
  )

  app.get(
    '/api/external/customers',
    {
      schema: {
        operationId: 'listExternalCustomers',
        summary: 'List customers',
        description: 'Returns customers. It needs an API key with the `read` permission.',
        tags,
        querystring: ExternalCustomerQuery,
        response: { 200: Type.Object({ customers: Type.Array(Customer), ...pageFields }) },
      },
      config: read,
    },
    (req) => listCustomers(ctx, who(req), req.query),
  )
}

import { Type } from 'typebox'
import { Named, PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import * as purchasing from './purchasing.ts'
import {
  CreatedPurchaseOrder, NewPurchaseOrder, PurchaseOrder, PurchaseOrderQuery, PurchaseOrderSummary, Receipt, Received,
  Status,
} from './schema.ts' // biome-ignore format: one list

const tags = ['Purchase orders']
const read = { access: 'staff' } as const
const write = { access: 'manager', idempotent: true } as const
const receiptLimit = 16 * 1024 * 1024

export const purchasingRoutes: Module = (app, ctx) => {
  app.get(
    '/api/suppliers/purchase-orders/all',
    {
      schema: {
        operationId: 'listPurchaseOrders',
        summary: 'Purchase orders, newest first',
        tags,
        querystring: PurchaseOrderQuery,
        response: { 200: Type.Object({ purchase_orders: Type.Array(PurchaseOrderSummary), ...pageFields }) },
      },
      config: read,
    },
    (req) => purchasing.listPurchaseOrders(ctx, who(req), req.query),
  )

  app.get(
    '/api/suppliers/purchase-orders/:id',
    {
      schema: {
        operationId: 'getPurchaseOrder',
        summary: 'One purchase order with its lines',
        tags,
        params: PathId,
        response: { 200: PurchaseOrder },
      },
      config: read,
    },
    (req) => purchasing.readPurchaseOrder(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/suppliers/purchase-orders',
    {
      schema: {
        operationId: 'createPurchaseOrder',
        summary: 'Draft a purchase order',
        tags,
        body: NewPurchaseOrder,
        response: { 201: CreatedPurchaseOrder },
      },
      config: { ...write, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return purchasing.createPurchaseOrder(ctx, who(req), req.body)
    },
  )

  app.patch(
    '/api/suppliers/purchase-orders/:id/status',
    {
      schema: {
        operationId: 'changePurchaseOrderStatus',
        summary: 'Order what was drafted, or cancel it',
        tags,
        params: PathId,
        body: Named('PurchaseOrderStatusChange', { status: Status }),
        response: { 200: Type.Object({ message: Type.String(), status: Status }) },
      },
      config: write,
    },
    (req) => purchasing.changeStatus(ctx, who(req), req.params.id, req.body.status),
  )

  app.post(
    '/api/suppliers/purchase-orders/:id/receive',
    {
      bodyLimit: receiptLimit,
      schema: {
        operationId: 'receivePurchaseOrder',
        summary: 'Take delivered units into stock',
        tags,
        params: PathId,
        body: Receipt,
        response: { 200: Received },
      },
      config: write,
    },
    (req) => purchasing.receive(ctx, who(req), req.params.id, req.body),
  )
}

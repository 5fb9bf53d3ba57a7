import { Named, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import * as purchasing from './purchasing.ts'
import { purchaseRefusals } from './refusals.ts'
import {
  CountsQuery, CreatedPurchaseOrder, NewPurchaseOrder, PurchaseOrder, PurchaseOrderCounts, PurchaseOrderQuery,
  PurchaseOrderSummary, Receipt, Received, Status,
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
        summary: 'List purchase orders',
        description:
          'Returns purchase orders, newest first. Filter by status and supplier, or search for a part of the ' +
          'number or the supplier; `due` returns those that are expected today or earlier and have not arrived.',
        tags,
        querystring: PurchaseOrderQuery,
        response: { 200: Type.Object({ purchase_orders: Type.Array(PurchaseOrderSummary), ...pageFields }) },
      },
      config: read,
    },
    (req) => purchasing.listPurchaseOrders(ctx, who(req), req.query),
  )

  app.get(
    '/api/suppliers/purchase-orders/counts',
    {
      schema: {
        operationId: 'countPurchaseOrders',
        summary: 'Count purchase orders by status',
        description:
          'Returns how many purchase orders have each status, and how many are due, under the same filters ' +
          'as the list.',
        tags,
        querystring: CountsQuery,
        response: { 200: PurchaseOrderCounts },
      },
      config: read,
    },
    (req) => purchasing.countByStatus(ctx, who(req), req.query),
  )

  app.get(
    '/api/suppliers/purchase-orders/:id',
    {
      schema: {
        operationId: 'getPurchaseOrder',
        summary: 'Get a purchase order',
        description:
          'Returns a purchase order with its lines: how many units were ordered, at what cost, and how ' +
          'many have arrived.',
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
        summary: 'Create a purchase order',
        description:
          "Drafts a purchase order. A line without `unit_cost` takes the product's cost price. Numbers " +
          'such as `PO-000001` have no gaps. Admins and Managers may do this.',
        tags,
        body: NewPurchaseOrder,
        response: { 201: CreatedPurchaseOrder },
      },
      config: { ...write, refuses: [404], created: '/api/suppliers/purchase-orders/{id}' },
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
        summary: "Change a purchase order's status",
        description:
          'Marks a draft as ordered, or cancels a purchase order that is draft, ordered or partially ' +
          'received. Received units stay in stock. Any other move is refused with 400. Admins and Managers ' +
          'may do this.',
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
        summary: 'Receive a purchase order',
        description:
          'Takes delivered units into stock at the cost of their line; the order becomes `partial` or ' +
          '`received`. Batch-tracked lines name their batch and expiry, serial-tracked ones their serials. ' +
          'More than was ordered is refused with 400, at its entry of `items`. New free units go to waiting ' +
          'backorders first; the response says to which. ' +
          'Admins and Managers may do this.',
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
purchasingRoutes.refusals = purchaseRefusals

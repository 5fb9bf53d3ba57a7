import type { FastifyReply, FastifyRequest } from 'fastify'
import { PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import * as papers from './papers.ts'
import { sendPrint } from './print-routes.ts'
import { printer } from './printer.ts'
import { Paper, PaperQuery, PickPaperQuery, PickQuery, pdfFile } from './schema.ts'

const config = { access: 'staff' } as const

const ids = (text: string) => text.split(',').map(Number)

/** Each paper in words, for those who print it themselves, and as a PDF file. */
export const paperRoutes: Module = (app, ctx) => {
  app.addHook('onClose', () => printer(ctx).close())

  app.get(
    '/api/orders/:id/packing-slip',
    {
      schema: {
        operationId: 'readPackingSlip',
        summary: 'Get a packing slip',
        description:
          'Returns the lines of an order without prices, for the parcel: what was shipped and what follows.',
        tags: ['Orders'],
        params: PathId,
        response: { 200: Paper },
      },
      config,
    },
    (req) => papers.packingSlip(ctx, who(req), req.params.id),
  )

  app.get(
    '/api/orders/:id/packing-slip.pdf',
    {
      schema: {
        operationId: 'getPackingSlip',
        summary: 'Print a packing slip',
        description: 'Returns the packing slip of an order as a file.',
        tags: ['Orders'],
        params: PathId,
        querystring: PaperQuery,
        response: { 200: pdfFile('A packing slip') },
      },
      config,
    },
    (req, reply) =>
      sendPrint(ctx, req as FastifyRequest, reply as FastifyReply, async () => {
        const paper = await papers.packingSlip(ctx, who(req), req.params.id)
        return { paper, size: req.query.size, name: `packing-slip-${paper.number}` }
      }),
  )

  app.get(
    '/api/orders/:id/pick-list',
    {
      schema: {
        operationId: 'readPickList',
        summary: 'Get the pick list of an order',
        description:
          'Returns what to take from the shelves for an order: the units that are reserved for it.',
        tags: ['Orders'],
        params: PathId,
        response: { 200: Paper },
      },
      config,
    },
    (req) => papers.pickList(ctx, who(req), [req.params.id]),
  )

  app.get(
    '/api/orders/:id/pick-list.pdf',
    {
      schema: {
        operationId: 'getPickList',
        summary: 'Print the pick list of an order',
        description: 'Returns the pick list of an order as a file.',
        tags: ['Orders'],
        params: PathId,
        querystring: PaperQuery,
        response: { 200: pdfFile('A pick list') },
      },
      config,
    },
    (req, reply) =>
      sendPrint(ctx, req as FastifyRequest, reply as FastifyReply, async () => {
        const paper = await papers.pickList(ctx, who(req), [req.params.id])
        return { paper, size: req.query.size, name: `pick-list-${paper.number}` }
      }),
  )

  app.get(
    '/api/orders/pick-list',
    {
      schema: {
        operationId: 'readPickListOfOrders',
        summary: 'Get a pick list for several orders',
        description:
          'Returns what to take from the shelves for up to 100 orders of one warehouse, added up by product. ' +
          'Orders of different warehouses are refused with 400.',
        tags: ['Orders'],
        querystring: PickQuery,
        response: { 200: Paper },
      },
      config: { ...config, refuses: [404] },
    },
    (req) => papers.pickList(ctx, who(req), ids(req.query.order_ids)),
  )

  app.get(
    '/api/orders/pick-list.pdf',
    {
      schema: {
        operationId: 'getPickListOfOrders',
        summary: 'Print a pick list for several orders',
        description: 'Returns the pick list of several orders as a file, with the same refusals.',
        tags: ['Orders'],
        querystring: PickPaperQuery,
        response: { 200: pdfFile('A pick list') },
      },
      config: { ...config, refuses: [404] },
    },
    (req, reply) =>
      sendPrint(ctx, req as FastifyRequest, reply as FastifyReply, async () => {
        const paper = await papers.pickList(ctx, who(req), ids(req.query.order_ids))
        return { paper, size: req.query.size, name: `pick-list-${paper.number}` }
      }),
  )

  app.get(
    '/api/suppliers/purchase-orders/:id/purchase-order',
    {
      schema: {
        operationId: 'readPurchaseOrderPaper',
        summary: 'Get a purchase order as a paper',
        description: 'Returns a purchase order for its supplier, with costs and where to deliver.',
        tags: ['Purchase orders'],
        params: PathId,
        response: { 200: Paper },
      },
      config,
    },
    (req) => papers.purchaseOrder(ctx, who(req), req.params.id),
  )

  app.get(
    '/api/suppliers/purchase-orders/:id/purchase-order.pdf',
    {
      schema: {
        operationId: 'getPurchaseOrderPaper',
        summary: 'Print a purchase order',
        description: 'Returns a purchase order for its supplier as a file.',
        tags: ['Purchase orders'],
        params: PathId,
        querystring: PaperQuery,
        response: { 200: pdfFile('A purchase order') },
      },
      config,
    },
    (req, reply) =>
      sendPrint(ctx, req as FastifyRequest, reply as FastifyReply, async () => {
        const paper = await papers.purchaseOrder(ctx, who(req), req.params.id)
        return { paper, size: req.query.size, name: paper.number }
      }),
  )
}

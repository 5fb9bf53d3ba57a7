import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import * as papers from './papers.ts'
import { LabelQuery, PaperQuery, PickQuery, pdfFile, pdfHeaders } from './schema.ts'

const config = { access: 'staff' } as const

const send = async (reply: FastifyReply, paper: Promise<{ pdf: Readable; name: string }>) => {
  const { pdf, name } = await paper
  reply.headers(pdfHeaders(name))
  return pdf
}

export const paperRoutes: Module = (app, ctx) => {
  app.get(
    '/api/orders/:id/packing-slip.pdf',
    {
      schema: {
        operationId: 'getPackingSlip',
        summary: 'Print a packing slip',
        description:
          'Returns the lines of an order without prices, for the parcel: what was shipped and what follows.',
        tags: ['Orders'],
        params: PathId,
        querystring: PaperQuery,
        response: { 200: pdfFile('A packing slip') },
      },
      config,
    },
    (req, reply) => send(reply, papers.packingSlip(ctx, who(req), req.params.id, req.query.size)),
  )

  app.get(
    '/api/orders/:id/pick-list.pdf',
    {
      schema: {
        operationId: 'getPickList',
        summary: 'Print the pick list of an order',
        description:
          'Returns what to take from the shelves for an order: the units that are reserved for it.',
        tags: ['Orders'],
        params: PathId,
        querystring: PaperQuery,
        response: { 200: pdfFile('A pick list') },
      },
      config,
    },
    (req, reply) => send(reply, papers.pickList(ctx, who(req), [req.params.id], req.query.size)),
  )

  app.get(
    '/api/orders/pick-list.pdf',
    {
      schema: {
        operationId: 'getPickListOfOrders',
        summary: 'Print a pick list for several orders',
        description:
          'Returns what to take from the shelves for up to 100 orders of one warehouse, added up by product. ' +
          'Orders of different warehouses are refused with 400.',
        tags: ['Orders'],
        querystring: PickQuery,
        response: { 200: pdfFile('A pick list') },
      },
      config: { ...config, refuses: [404] },
    },
    (req, reply) =>
      send(reply, papers.pickList(ctx, who(req), req.query.order_ids.split(',').map(Number), req.query.size)),
  )

  app.get(
    '/api/suppliers/purchase-orders/:id/purchase-order.pdf',
    {
      schema: {
        operationId: 'getPurchaseOrderPaper',
        summary: 'Print a purchase order',
        description: 'Returns a purchase order for its supplier, with costs and where to deliver.',
        tags: ['Purchase orders'],
        params: PathId,
        querystring: PaperQuery,
        response: { 200: pdfFile('A purchase order') },
      },
      config,
    },
    (req, reply) => send(reply, papers.purchaseOrder(ctx, who(req), req.params.id, req.query.size)),
  )

  app.get(
    '/api/products/:id/label.pdf',
    {
      schema: {
        operationId: 'getProductLabel',
        summary: 'Print product labels',
        description:
          'Returns labels with name, SKU, price, and the barcode, or the SKU if it has none, as Code 128; as ' +
          'a QR code if Code 128 cannot write it.',
        tags: ['Products'],
        params: PathId,
        querystring: LabelQuery,
        response: { 200: pdfFile('One label on each page') },
      },
      config,
    },
    (req, reply) => send(reply, papers.productLabels(ctx, who(req), req.params.id, req.query)),
  )

  app.get(
    '/api/batches/:id/label.pdf',
    {
      schema: {
        operationId: 'getBatchLabel',
        summary: 'Print batch labels',
        description:
          'Returns labels with product, batch and expiry in a GS1 QR code, or the batch number in a plain ' +
          'one if the product has no GTIN as its barcode.',
        tags: ['Batches'],
        params: PathId,
        querystring: LabelQuery,
        response: { 200: pdfFile('One label on each page') },
      },
      config,
    },
    (req, reply) => send(reply, papers.batchLabels(ctx, who(req), req.params.id, req.query)),
  )
}

import type { FastifyRequest } from 'fastify'
import { PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { batchLabel, productLabel } from './labels.ts'
import { sendPrint } from './print-routes.ts'
import { Label, LabelQuery, pdfFile } from './schema.ts'

const config = { access: 'staff' } as const

/** Each label in words, for those who print it themselves, and as a PDF file. */
export const labelRoutes: Module = (app, ctx) => {
  app.get(
    '/api/products/:id/label',
    {
      schema: {
        operationId: 'readProductLabel',
        summary: "Get a product's label",
        description:
          'Returns a label with name, SKU, price, and the barcode, or the SKU if it has none, as Code 128; as ' +
          'a QR code if Code 128 cannot write it.',
        tags: ['Products'],
        params: PathId,
        response: { 200: Label },
      },
      config,
    },
    (req) => productLabel(ctx, who(req), req.params.id),
  )

  app.get(
    '/api/products/:id/label.pdf',
    {
      schema: {
        operationId: 'getProductLabel',
        summary: 'Print product labels',
        description: 'Returns the label of a product, as often as wanted, as a file.',
        tags: ['Products'],
        params: PathId,
        querystring: LabelQuery,
        response: { 200: pdfFile('One label on each page') },
      },
      config,
    },
    (req, reply) =>
      sendPrint(ctx, req as FastifyRequest, reply, async () => {
        const { id } = req.params
        const label = await productLabel(ctx, who(req), id)
        return { label, query: req.query, name: `product-${id}-label` }
      }),
  )

  app.get(
    '/api/batches/:id/label',
    {
      schema: {
        operationId: 'readBatchLabel',
        summary: "Get a batch's label",
        description:
          'Returns a label with product, batch and expiry in a GS1 QR code, or the batch number in a plain ' +
          'one if the product has no GTIN as its barcode.',
        tags: ['Batches'],
        params: PathId,
        response: { 200: Label },
      },
      config,
    },
    (req) => batchLabel(ctx, who(req), req.params.id),
  )

  app.get(
    '/api/batches/:id/label.pdf',
    {
      schema: {
        operationId: 'getBatchLabel',
        summary: 'Print batch labels',
        description: 'Returns the label of a batch, as often as wanted, as a file.',
        tags: ['Batches'],
        params: PathId,
        querystring: LabelQuery,
        response: { 200: pdfFile('One label on each page') },
      },
      config,
    },
    (req, reply) =>
      sendPrint(ctx, req as FastifyRequest, reply, async () => {
        const { id } = req.params
        const label = await batchLabel(ctx, who(req), id)
        return { label, query: req.query, name: `batch-${id}-label` }
      }),
  )
}

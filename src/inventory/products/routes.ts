import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { badRequest } from '#platform/errors.ts'
import { Id, PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { CsvBody, csvFile, csvHeaders, Message } from '../schema.ts'
import { exportProducts } from './export.ts'
import { importProducts } from './import.ts'
import * as products from './products.ts'
import {
  CreatedProduct,
  Image,
  ImportResult,
  NewImage,
  Product,
  ProductInput,
  ProductQuery,
} from './schema.ts'

const tags = ['Products']
const read = { access: 'staff' } as const
const write = { access: 'manager', idempotent: true } as const

export const productRoutes: Module = (app, ctx) => {
  app.get(
    '/api/products',
    {
      schema: {
        operationId: 'listProducts',
        summary: 'Products, newest first',
        tags,
        querystring: ProductQuery,
        response: { 200: Type.Object({ products: Type.Array(Product), ...pageFields }) },
      },
      config: read,
    },
    (req) => products.listProducts(ctx, who(req), req.query),
  )

  app.get(
    '/api/products/:id',
    {
      schema: {
        operationId: 'getProduct',
        summary: 'One product',
        tags,
        params: PathId,
        response: { 200: Product },
      },
      config: read,
    },
    (req) => products.readProduct(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/products',
    {
      schema: {
        operationId: 'createProduct',
        summary: 'Add a product',
        tags,
        body: ProductInput,
        response: { 201: CreatedProduct },
      },
      config: { ...write, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return products.createProduct(ctx, who(req), req.body)
    },
  )

  app.put(
    '/api/products/:id',
    {
      schema: {
        operationId: 'replaceProduct',
        summary: 'Replace a product; optional fields that are left out are reset',
        tags,
        params: PathId,
        body: ProductInput,
        response: { 200: Message },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => products.replaceProduct(ctx, who(req), req.params.id, req.body),
  )

  app.patch(
    '/api/products/:id',
    {
      schema: {
        operationId: 'activateProduct',
        summary: 'Take a product off sale, or put it back',
        tags,
        params: PathId,
        body: Type.Object({ is_active: Type.Boolean() }),
        response: { 200: Message },
      },
      config: write,
    },
    (req) => products.setActive(ctx, who(req), req.params.id, req.body.is_active),
  )

  app.delete(
    '/api/products/:id',
    {
      schema: {
        operationId: 'deleteProduct',
        summary: 'Delete a product for good; its stock is written off',
        tags,
        params: PathId,
        response: { 200: Message },
      },
      config: { access: 'admin', idempotent: true, refuses: [409] },
    },
    (req) => products.deleteProduct(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/products/:id/images',
    {
      schema: {
        operationId: 'addProductImage',
        summary: 'Add an image by its address',
        tags,
        params: PathId,
        body: NewImage,
        response: { 201: Image },
      },
      config: write,
    },
    async (req, reply) => {
      reply.code(201)
      return products.addImage(ctx, who(req), req.params.id, req.body)
    },
  )

  app.delete(
    '/api/products/:id/images/:imageId',
    {
      schema: {
        operationId: 'deleteProductImage',
        summary: 'Remove an image',
        tags,
        params: Type.Object({ id: Id, imageId: Id }),
        response: { 200: Message },
      },
      config: write,
    },
    (req) => products.removeImage(ctx, who(req), req.params.id, req.params.imageId),
  )

  app.get(
    '/api/products/export',
    {
      schema: {
        operationId: 'exportProducts',
        summary: 'All products as CSV, ready to be imported again',
        tags,
        response: { 200: csvFile('One line for each product') },
      },
      config: read,
    },
    async (req, reply) => {
      reply.headers(csvHeaders('products.csv'))
      return exportProducts(ctx, who(req))
    },
  )

  app.addContentTypeParser('text/csv', (_, body, done) => done(null, body))
  app.post(
    '/api/products/import',
    {
      schema: {
        operationId: 'importProducts',
        summary: 'Add and change products from CSV, recognised by SKU',
        tags,
        consumes: ['text/csv'],
        querystring: Type.Object({
          dry_run: Type.Boolean({ default: false, description: 'Only tell what would happen' }),
        }),
        body: CsvBody,
        response: { 200: ImportResult },
      },
      config: { access: 'manager', idempotent: 'streamed' },
    },
    (req) => {
      const body = req.body instanceof Readable ? req.body : badRequest('Content-Type must be text/csv')
      return importProducts(ctx, who(req), {
        body,
        announced: Number(req.headers['content-length'] ?? 0),
        dryRun: req.query.dry_run,
        received: (digest) => {
          req.body = digest as never
        },
      })
    },
  )
}

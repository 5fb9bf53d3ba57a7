import { Readable } from 'node:stream'
import { badRequest } from '#platform/errors.ts'
import { csvFields, csvFile, csvHeaders } from '#platform/http/response/csv.ts'
import { Id, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { CsvBody, Message } from '../schema.ts'
import { exportProducts } from './export.ts'
import { importProducts } from './import.ts'
import * as products from './products.ts'
import {
  CreatedProduct,
  Image,
  ImportResult,
  NewImage,
  Product,
  ProductChange,
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
        summary: 'List products',
        description:
          'Returns products, newest first or as `sort` says, 50 on a page by default and at most 200. ' +
          '`search` matches parts of the name, the SKU and the barcode, and begins with the product that ' +
          'has exactly this barcode or SKU; a GTIN is found with or without leading zeros. `category` and ' +
          '`active` filter.',
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
        summary: 'Get a product',
        description: 'Returns a product with its images, its category and its stock in each warehouse.',
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
        summary: 'Create a product',
        description:
          'Adds a product and an empty stock row for it in the default warehouse. SKUs are unique in the ' +
          'company; one that exists is refused with 409. Prices have at most two decimals and may be ' +
          'numbers or strings. Admins and Managers may do this.',
        tags,
        body: ProductInput,
        response: { 201: CreatedProduct },
      },
      config: { ...write, refuses: [404], created: '/api/products/{id}' },
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
        summary: 'Replace a product',
        description:
          'Replaces a product; optional fields that are left out are reset. `tracking_type` cannot change ' +
          'while there is stock (400). Admins and Managers may do this.',
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
        operationId: 'changeProduct',
        summary: 'Change a product',
        description:
          'Changes the given fields of a product and nothing else. `is_active` takes it off sale or puts it ' +
          'back: products that are off sale are not listed in the external API. `tracking_type` cannot ' +
          'change while there is stock (400). Admins and Managers may do this.',
        tags,
        params: PathId,
        body: ProductChange,
        response: { 200: Message },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => products.changeProduct(ctx, who(req), req.params.id, req.body),
  )

  app.delete(
    '/api/products/:id',
    {
      schema: {
        operationId: 'deleteProduct',
        summary: 'Delete a product',
        description:
          'Deletes a product for good and writes its stock off. Past orders and movements keep its SKU and ' +
          'name, and the SKU is free again. While an order or purchase order is open on it, the request is ' +
          'refused with 409. Admins only.',
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
        summary: 'Add a product image',
        description:
          'Adds an image by its web address; nothing is downloaded. The first image of a product is always ' +
          'its primary one. Admins and Managers may do this.',
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
        summary: 'Remove a product image',
        description: 'Removes an image from a product. Admins and Managers may do this.',
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
        summary: 'Export products',
        description:
          'Returns all products as CSV (RFC 4180, UTF-8). Importing the file again changes nothing. Values ' +
          'that a spreadsheet would run as formulas are made harmless.',
        tags,
        querystring: Type.Object(csvFields),
        response: { 200: csvFile('One line for each product') },
      },
      config: read,
    },
    async (req, reply) => {
      reply.headers(csvHeaders('products.csv'))
      return exportProducts(ctx, who(req), req.query)
    },
  )

  app.addContentTypeParser('text/csv', (_, body, done) => done(null, body))
  app.post(
    '/api/products/import',
    {
      schema: {
        operationId: 'importProducts',
        summary: 'Import products',
        description:
          'Adds and updates products from CSV, recognised by SKU. Good lines are applied and bad ones ' +
          'reported with their line number. With `dry_run=true` everything is checked and nothing changes. ' +
          'Admins and Managers may do this.',
        tags,
        consumes: ['text/csv'],
        querystring: Type.Object({
          dry_run: Type.Boolean({ default: false, description: 'Only tell what would happen' }),
          lines: Type.Boolean({ default: false, description: 'Also tell what happens line by line' }),
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
        byLine: req.query.lines,
        received: (digest) => {
          req.body = digest as never
        },
      })
    },
  )
}

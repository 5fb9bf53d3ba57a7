import { Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { NewSupplier, Supplier, SupplierQuery } from './schema.ts'
import * as suppliers from './suppliers.ts'

const tags = ['Suppliers']
const read = { access: 'staff' } as const
const write = { access: 'manager', idempotent: true } as const

export const supplierRoutes: Module = (app, ctx) => {
  app.get(
    '/api/suppliers',
    {
      schema: {
        operationId: 'listSuppliers',
        summary: 'All suppliers',
        tags,
        querystring: SupplierQuery,
        response: { 200: Type.Object({ suppliers: Type.Array(Supplier), ...pageFields }) },
      },
      config: read,
    },
    (req) => suppliers.listSuppliers(ctx, who(req), req.query),
  )

  app.get(
    '/api/suppliers/:id',
    {
      schema: {
        operationId: 'getSupplier',
        summary: 'One supplier',
        tags,
        params: PathId,
        response: { 200: Supplier },
      },
      config: read,
    },
    (req) => suppliers.readSupplier(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/suppliers',
    {
      schema: {
        operationId: 'createSupplier',
        summary: 'Add a supplier',
        tags,
        body: NewSupplier,
        response: { 201: Supplier },
      },
      config: write,
    },
    async (req, reply) => {
      reply.code(201)
      return suppliers.createSupplier(ctx, who(req), req.body)
    },
  )

  app.put(
    '/api/suppliers/:id',
    {
      schema: {
        operationId: 'replaceSupplier',
        summary: 'Replace what is known of a supplier',
        tags,
        params: PathId,
        body: NewSupplier,
        response: { 200: Supplier },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => suppliers.replaceSupplier(ctx, who(req), req.params.id, req.body),
  )
}

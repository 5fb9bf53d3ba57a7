import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { Message } from '../schema.ts'
import { NewSupplier, Supplier, SupplierChange, SupplierDetail, SupplierQuery } from './schema.ts'
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
        summary: 'List suppliers',
        description:
          'Returns suppliers with their lead times, the number of products bought from each and what is on its ' +
          'way. `search` matches the name and email.',
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
        summary: 'Get a supplier',
        description: 'Returns a supplier with payment terms, lead time, and what has been ordered in all.',
        tags,
        params: PathId,
        response: { 200: SupplierDetail },
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
        summary: 'Create a supplier',
        description:
          'Adds a supplier. Its lead time is used in reorder suggestions. Admins and Managers may do this.',
        tags,
        body: NewSupplier,
        response: { 201: Supplier },
      },
      config: { ...write, created: '/api/suppliers/{id}' },
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
        summary: 'Replace a supplier',
        description:
          'Replaces what is known of a supplier; optional fields that are left out are reset. Admins and ' +
          'Managers may do this.',
        tags,
        params: PathId,
        body: NewSupplier,
        response: { 200: Supplier },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => suppliers.replaceSupplier(ctx, who(req), req.params.id, req.body),
  )

  app.patch(
    '/api/suppliers/:id',
    {
      schema: {
        operationId: 'changeSupplier',
        summary: 'Change a supplier',
        description:
          'Changes the given fields of a supplier and nothing else. Admins and Managers may do this.',
        tags,
        params: PathId,
        body: SupplierChange,
        response: { 200: Supplier },
      },
      config: write,
    },
    (req) => suppliers.changeSupplier(ctx, who(req), req.params.id, req.body),
  )

  app.delete(
    '/api/suppliers/:id',
    {
      schema: {
        operationId: 'deleteSupplier',
        summary: 'Delete a supplier',
        description:
          'Deletes a supplier from whom nothing was ever ordered. One with purchase orders is refused with ' +
          '409. Admins and Managers may do this.',
        tags,
        params: PathId,
        response: { 200: Message },
      },
      config: { ...write, refuses: [409] },
    },
    (req) => suppliers.deleteSupplier(ctx, who(req), req.params.id),
  )
}

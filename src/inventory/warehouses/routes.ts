import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { NewWarehouse, Warehouse } from './schema.ts'
import { createWarehouse, listWarehouses } from './warehouses.ts'

const tags = ['Warehouses']

export const warehouseRoutes: Module = (app, ctx) => {
  app.get(
    '/api/warehouses',
    {
      schema: {
        operationId: 'listWarehouses',
        summary: 'List warehouses',
        description:
          'Returns all warehouses with the number of SKUs in each and the value of its stock. Exactly one ' +
          'of them is the default.',
        tags,
        response: { 200: Type.Object({ warehouses: Type.Array(Warehouse) }) },
      },
      config: { access: 'staff' },
    },
    (req) => listWarehouses(ctx, who(req)),
  )

  app.post(
    '/api/warehouses',
    {
      schema: {
        operationId: 'createWarehouse',
        summary: 'Create a warehouse',
        description:
          'Adds a warehouse. Its code is unique in the company; one that exists is refused with 409. With ' +
          '`is_default` it takes over from the present default. Admins only.',
        tags,
        body: NewWarehouse,
        response: { 201: Warehouse },
      },
      config: { access: 'admin', idempotent: true, refuses: [409] },
    },
    async (req, reply) => {
      reply.code(201)
      return createWarehouse(ctx, who(req), req.body)
    },
  )
}

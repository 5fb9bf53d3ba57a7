import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { NewWarehouse, Warehouse, WarehouseChange } from './schema.ts'
import { changeWarehouse, createWarehouse, listWarehouses } from './warehouses.ts'

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

  app.patch(
    '/api/warehouses/:id',
    {
      schema: {
        operationId: 'changeWarehouse',
        summary: 'Update a warehouse',
        description:
          'Changes the fields that are given. With `is_default: true` it takes over from the present ' +
          'default. A code that exists is refused with 409. Admins only.',
        tags,
        params: PathId,
        body: WarehouseChange,
        response: { 200: Warehouse },
      },
      config: { access: 'admin', idempotent: true, refuses: [409] },
    },
    (req) => changeWarehouse(ctx, who(req), req.params.id, req.body),
  )
}

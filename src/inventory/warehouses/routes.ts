import { Type } from 'typebox'
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
        summary: 'All warehouses',
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
        summary: 'Add a warehouse',
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

import { Type } from 'typebox'
import { Id } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import {
  Adjustment, AlertQuery, InventoryQuery, InventoryRow, Movement, MovementQuery, ReorderLevel, Summary, Transfer,
} from './schema.ts' // biome-ignore format: one list
import * as stock from './stock.ts'

const tags = ['Inventory']
const read = { access: 'staff' } as const
const write = { access: 'manager', idempotent: true } as const

export const stockRoutes: Module = (app, ctx) => {
  app.get(
    '/api/inventory',
    {
      schema: {
        operationId: 'listInventory',
        summary: 'Stock by product and warehouse',
        tags,
        querystring: InventoryQuery,
        response: { 200: Type.Object({ inventory: Type.Array(InventoryRow), ...pageFields }) },
      },
      config: read,
    },
    (req) => stock.listStock(ctx, who(req), req.query),
  )

  app.get(
    '/api/inventory/summary',
    {
      schema: { operationId: 'getInventorySummary', summary: 'Sums', tags, response: { 200: Summary } },
      config: read,
    },
    (req) => stock.summarize(ctx, who(req)),
  )

  app.get(
    '/api/inventory/alerts',
    {
      schema: {
        operationId: 'listAlerts',
        summary: 'Stock at or below its reorder level',
        tags,
        querystring: AlertQuery,
        response: { 200: Type.Object({ alerts: Type.Array(InventoryRow), ...pageFields }) },
      },
      config: read,
    },
    (req) => stock.listAlerts(ctx, who(req), req.query),
  )

  app.get(
    '/api/inventory/movements',
    {
      schema: {
        operationId: 'listMovements',
        summary: 'The ledger, newest first',
        tags,
        querystring: MovementQuery,
        response: { 200: Type.Object({ movements: Type.Array(Movement), ...pageFields }) },
      },
      config: read,
    },
    (req) => stock.listMovements(ctx, who(req), req.query),
  )

  app.post(
    '/api/inventory/adjust',
    {
      schema: {
        operationId: 'adjustStock',
        summary: 'Add or remove units',
        tags,
        body: Adjustment,
        response: { 200: Type.Object({ message: Type.String(), new_quantity: Type.Integer() }) },
      },
      config: { ...write, refuses: [404] },
    },
    (req) => stock.adjustStock(ctx, who(req), req.body),
  )

  app.post(
    '/api/inventory/transfer',
    {
      schema: {
        operationId: 'transferStock',
        summary: 'Move units to another warehouse',
        tags,
        body: Transfer,
        response: { 200: Type.Object({ message: Type.String(), quantity: Type.Integer() }) },
      },
      config: { ...write, refuses: [404] },
    },
    (req) => stock.transferStock(ctx, who(req), req.body),
  )

  app.patch(
    '/api/inventory/:product_id/:warehouse_id',
    {
      schema: {
        operationId: 'setReorderLevel',
        summary: 'Set the reorder level',
        tags,
        params: Type.Object({ product_id: Id, warehouse_id: Id }),
        body: ReorderLevel,
        response: { 200: InventoryRow },
      },
      config: write,
    },
    (req) => stock.setReorderLevel(ctx, who(req), req.params, req.body.reorder_level),
  )
}

import { Id } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { stockRefusals } from './refusals.ts'
import {
  Adjustment, AlertQuery, InventoryQuery, InventoryRow, Ledger, LedgerQuery, Movement, MovementQuery, ReorderLevel,
  StockRow, Summary, Transfer,
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
        summary: 'List stock',
        description:
          'Returns stock by product and warehouse: units on hand, reserved for orders, available and ' +
          'incoming, and the reorder level. `low_stock=true` returns only rows at or below their reorder ' +
          'level; `state=low` leaves out those where nothing is left, and `state=out` returns only those. ' +
          '`search` matches parts of the name, the SKU and the barcode.',
        tags,
        querystring: InventoryQuery,
        response: { 200: Type.Object({ inventory: Type.Array(StockRow), ...pageFields }) },
      },
      config: read,
    },
    (req) => stock.listStock(ctx, who(req), req.query),
  )

  app.get(
    '/api/inventory/summary',
    {
      schema: {
        operationId: 'getInventorySummary',
        summary: 'Get stock summary',
        description:
          'Returns the number of SKUs, the value of all stock, how many rows are low or out of stock, and ' +
          'the same by warehouse.',
        tags,
        response: { 200: Summary },
      },
      config: read,
    },
    (req) => stock.summarize(ctx, who(req)),
  )

  app.get(
    '/api/inventory/alerts',
    {
      schema: {
        operationId: 'listAlerts',
        summary: 'List stock alerts',
        description: 'Returns the stock rows whose quantity is at or below their reorder level.',
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
        summary: 'List stock movements',
        description:
          'Returns the stock ledger, newest first. Every change of a quantity on hand is one signed ' +
          'movement, so the movements of a product in a warehouse always add up to its quantity. Filter by ' +
          'product, warehouse, type and date.',
        tags,
        querystring: MovementQuery,
        response: { 200: Type.Object({ movements: Type.Array(Movement), ...pageFields }) },
      },
      config: read,
    },
    (req) => stock.listMovements(ctx, who(req), req.query),
  )

  app.get(
    '/api/inventory/:product_id/:warehouse_id/movements',
    {
      schema: {
        operationId: 'explainStock',
        summary: 'Explain a quantity',
        description:
          'Returns what a warehouse holds of a product, and the movements that add up to it, newest first, ' +
          'each with the balance that it left.',
        tags,
        params: Type.Object({ product_id: Id, warehouse_id: Id }),
        querystring: LedgerQuery,
        response: { 200: Ledger },
      },
      config: read,
    },
    (req) => stock.explainStock(ctx, who(req), req.params, req.query),
  )

  app.post(
    '/api/inventory/adjust',
    {
      schema: {
        operationId: 'adjustStock',
        summary: 'Adjust stock',
        description:
          'Adds units to a warehouse, or removes them with a negative quantity. Stock cannot fall below ' +
          'what is reserved (400). New free units go to waiting backorders first, the oldest order first. ' +
          'Name the `serials` of a serial-tracked product, which are added to stock or scrapped, and, if you ' +
          'like, the `batch_id` of a batch-tracked one. Admins and Managers may do this.',
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
        summary: 'Transfer stock',
        description:
          'Moves units between two warehouses, with a movement in each. More than is available, or the ' +
          'same warehouse twice, is refused with 400. Name `serials` for serial-tracked products and, if ' +
          'you like, a `batch_id`. Admins and Managers may do this.',
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
        summary: 'Set a reorder level',
        description:
          'Sets the quantity at which a product in a warehouse counts as low on stock. It shows up in the ' +
          'alerts and in the reorder suggestions from then on. Admins and Managers may do this.',
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
stockRoutes.refusals = stockRefusals

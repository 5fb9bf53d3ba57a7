import { csvStream, runs } from '#platform/csv.ts'
import type { Inventory, Principal } from '../context.ts'
import { listProductsAfter } from './read-store.ts'
import type { Product } from './schema.ts'

const header = [
  'sku', 'name', 'base_price', 'cost_price', 'compare_at_price', 'barcode', 'vendor', 'category_id',
  'category_name', 'tracking_type', 'weight', 'taxable', 'requires_shipping', 'is_active', 'description',
  'total_stock',
] as const satisfies (keyof Product)[] // biome-ignore format: one list
const batchSize = 500

export const exportProducts = (ctx: Inventory, me: Principal, format: { bom: number }) => {
  const batches = async function* () {
    for await (const run of runs((id) => listProductsAfter(ctx.db.long, me.tenantId, id, batchSize)))
      yield run.map((product) => header.map((column) => product[column] as string | null))
  }
  return csvStream(header, batches(), format)
}

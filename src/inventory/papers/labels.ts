import { readBatch } from '../batches/batches.ts'
import type { Inventory, Principal } from '../context.ts'
import { readProduct } from '../products/products.ts'
import { batchCode, textCode } from './codes.ts'
import { printable, printableLines } from './printable.ts'
import type { Label } from './schema.ts'

/** The barcode, or the SKU of a product that has none. */
export const productLabel = async (ctx: Inventory, me: Principal, id: number): Promise<Label> => {
  const { name, sku, base_price, barcode } = await readProduct(ctx, me, id)
  return {
    title: printable(name),
    lines: printableLines([sku, base_price]),
    code: textCode(barcode || sku),
  }
}

export const batchLabel = async (ctx: Inventory, me: Principal, id: number): Promise<Label> => {
  const { product_id, product_name, sku, batch_number, expiry_date } = await readBatch(ctx, me, id)
  const { barcode } = await readProduct(ctx, me, product_id)
  return {
    title: printable(product_name),
    lines: printableLines([sku, `Batch ${batch_number}`, expiry_date && `Expires ${expiry_date}`]),
    code: batchCode({ barcode, batch: batch_number, expiry: expiry_date }),
  }
}

import type { Product } from '../api.ts'
import { isCodeOf, readScan, shownCode } from './codes.ts'
import { findScanned, type Unit } from './find-scanned.ts'

/** Which unit of this product was scanned. Refuses the code of another product. */
export const unitOf = async (product: Product, text: string): Promise<Unit> => {
  const { code, ...unit } = readScan(text)
  if (isCodeOf(product, code)) return unit
  const found = await findScanned(text)
  if (found?.product.id !== product.id) throw new Error(`“${shownCode(text)}” is not ${product.name}`)
  return found
}

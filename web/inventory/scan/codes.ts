import { anySymbology, type Gs1, parseGs1 } from './gs1.ts'

/** What a scanned text says: the code by which its product is found, and which unit of it this is. */
export type Scan = Omit<Gs1, 'gtin'> & { code: string }

/** Anything but a GS1 code is a code as a whole: a barcode, a SKU or a serial number. */
export const readScan = (text: string): Scan => {
  const gs1 = parseGs1(text)
  if (!gs1) return { code: text.trim().replace(anySymbology, '') }
  const { gtin, ...unit } = gs1
  return { code: gtin ?? unit.serial ?? '', ...unit }
}

const digitsOf = (code: string) => (/^\d{8,14}$/.test(code) ? code.replace(/^0+/, '') : code)

/** Zeros on the left do not make a GTIN another number: 14 digits on a carton are 12 or 13 at the till. */
export const isCodeOf = (product: { barcode: string | null; sku: string }, code: string) =>
  (product.barcode !== null && digitsOf(product.barcode) === digitsOf(code)) ||
  product.sku.toLowerCase() === code.toLowerCase()

/** A scanned text for people, who know nothing of separators. */
export const shownCode = (text: string) => text.replaceAll('\u001D', ' ')

/** What a list is searched for: of a GS1 code, the product. */
export const searchOf = (text = '') => readScan(text).code || text.trim() || undefined

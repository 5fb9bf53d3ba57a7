import { gtin14 } from './gtin14.ts'
import type { Barcode } from './schema.ts'

/** What Code 128 cannot say, or not in bars that are thick enough on the smallest label, a QR code can. */
export const textCode = (text: string): Barcode => ({
  symbology: /^[\x20-\x7e]{1,24}$/.test(text) ? 'code128' : 'qrcode',
  text,
})

type Trade = { barcode: string | null; batch: string; expiry: string | null }

/** Characters that GS1 allows in a batch number, without parentheses, which would be read as the next part. */
const gs1Batch = /^[!"%&'*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/** A product with its batch and expiry in one code; without a GTIN, or if GS1 cannot write the batch, the batch alone. */
export const batchCode = ({ barcode, batch, expiry }: Trade): Barcode => {
  const gtin = gtin14(barcode ?? '')
  if (gtin === undefined || !gs1Batch.test(batch)) return { symbology: 'qrcode', text: batch }
  const day = expiry && /^20\d\d-/.test(expiry) ? `(17)${expiry.slice(2).replaceAll('-', '')}` : ''
  return { symbology: 'gs1qrcode', text: `(01)${gtin}${day}(10)${batch}` }
}

import bwip from 'bwip-js/node'
import { gtin14 } from './gtin14.ts'

/** Black squares or bars in a unit grid: each `[x, y, width, height]`. */
export type Barcode = { width: number; height: number; bars: [number, number, number, number][] }

type Raw = { sbs?: number[]; pixs?: number[]; pixx?: number; pixy?: number }

const linear = (widths: number[]): Barcode => {
  const bars: Barcode['bars'] = []
  let x = 0
  for (const [n, width] of widths.entries()) {
    if (n % 2 === 0) bars.push([x, 0, width, 1])
    x += width
  }
  return { width: x, height: 1, bars }
}

const square = ({ pixs = [], pixx = 0, pixy = 0 }: Raw): Barcode => ({
  width: pixx,
  height: pixy,
  bars: pixs.flatMap((dark, n) => (dark ? [[n % pixx, Math.floor(n / pixx), 1, 1]] : [])) as Barcode['bars'],
})

const encode = (bcid: string, text: string) => (bwip.raw({ bcid, text }) as unknown as Raw[])[0] as Raw

/** Nothing for text that no scanner could read in this symbology, or that would not fit on paper. */
export const code128 = (text: string) =>
  /^[\x20-\x7e]{1,48}$/.test(text) ? linear(encode('code128', text).sbs as number[]) : undefined

export const qr = (text: string) => square(encode('qrcode', text))

type Trade = { barcode: string | null; batch: string; expiry: string | null }

/** Characters that GS1 allows in a batch number, without parentheses, which would be read as the next part. */
const gs1Batch = /^[!"%&'*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/** A product with its batch and expiry in one code; nothing if the product has no GTIN or GS1 cannot write the batch. */
export const gs1 = ({ barcode, batch, expiry }: Trade) => {
  const gtin = gtin14(barcode ?? '')
  if (gtin === undefined || !gs1Batch.test(batch)) return undefined
  const day = expiry && /^20\d\d-/.test(expiry) ? `(17)${expiry.slice(2).replaceAll('-', '')}` : ''
  return square(encode('gs1qrcode', `(01)${gtin}${day}(10)${batch}`))
}

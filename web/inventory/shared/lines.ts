import type { Product } from '../api.ts'
import { centsOf, decimalOf } from './amounts.ts'

/** A line of an order that is being entered. `unit_price` is what a unit sells for, or what it costs us. */
export type Line = { product: Product; quantity: number | null; unit_price: string }

/** The same product again is one more of it. Returns the lines and where the product is in them. */
export const addLine = (
  lines: Line[],
  product: Product,
  unit_price: string,
): { items: Line[]; at: number } => {
  const known = lines.findIndex((line) => line.product.id === product.id)
  if (known < 0) return { items: [...lines, { product, quantity: 1, unit_price }], at: lines.length }
  return { items: changeLine(lines, known, { quantity: (lines[known]?.quantity ?? 0) + 1 }), at: known }
}

export const changeLine = (lines: Line[], at: number, change: Partial<Line>) =>
  lines.map((line, n) => (n === at ? { ...line, ...change } : line))

/** As the API takes it. A comma is what some keyboards have; anything else that is no amount is for the API to refuse. */
export const priceOf = ({ unit_price }: Line) => {
  const cents = centsOf(unit_price)
  return cents === null ? unit_price : decimalOf(cents)
}

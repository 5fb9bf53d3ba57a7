import type { Product } from '../api.ts'

/** A line of an order that is being entered. */
export type Line = { product: Product; quantity: number | null; unit_price: string }

/** The same product again is one more of it. Returns the lines and where the product is in them. */
export const addLine = (lines: Line[], product: Product): { items: Line[]; at: number } => {
  const known = lines.findIndex((line) => line.product.id === product.id)
  if (known < 0)
    return { items: [...lines, { product, quantity: 1, unit_price: product.base_price }], at: lines.length }
  return { items: changeLine(lines, known, { quantity: (lines[known]?.quantity ?? 0) + 1 }), at: known }
}

export const changeLine = (lines: Line[], at: number, change: Partial<Line>) =>
  lines.map((line, n) => (n === at ? { ...line, ...change } : line))

/** Whether a warehouse keeps a product; otherwise it has none of it. */
export const isKeptIn = ({ stock }: Product, warehouseId: number) =>
  stock.some(({ warehouse_id }) => warehouse_id === warehouseId)

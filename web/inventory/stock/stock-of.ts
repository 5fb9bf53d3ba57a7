import { useQueries } from '@tanstack/preact-query'
import type { Product } from '../api.ts'
import type { Line } from '../shared/lines.ts'
import { stockRowQuery } from './queries.ts'

/** Whether a warehouse keeps a product; otherwise it has none of it. */
const isKeptIn = ({ stock }: Product, warehouseId: number) =>
  stock.some(({ warehouse_id }) => warehouse_id === warehouseId)

/** What a warehouse has of the product of each line: undefined while that is not known, null if it does not keep it. */
export const useStockOf = (lines: Line[], warehouseId: number) => {
  const rows = useQueries({
    queries: lines.map(({ product }) => ({
      ...stockRowQuery(product.id, warehouseId),
      enabled: isKeptIn(product, warehouseId),
    })),
  })
  return lines.map(({ product }, n) => (isKeptIn(product, warehouseId) ? rows[n]?.data : null))
}

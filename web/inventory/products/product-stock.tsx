import { useQuery } from '@tanstack/preact-query'
import type { Product } from '../api.ts'
import { stockOfProductQuery } from '../stock/queries.ts'
import { StockTable } from '../stock/stock-table.tsx'

/** What each warehouse has of a product. */
export function ProductStock({ product }: { product: Product }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(stockOfProductQuery(product))
  return <StockTable of="warehouse" rows={data} loading={isPlaceholderData} error={error} retry={refetch} />
}

import { useQuery } from '@tanstack/preact-query'
import { stockOfProductQuery } from '../stock/queries.ts'
import { StockTable } from '../stock/stock-table.tsx'
import type { ProductTab } from './product-page.tsx'

/** What each warehouse has of a product. */
export function ProductStock({ product }: ProductTab) {
  const { data, error, isPlaceholderData, refetch } = useQuery(stockOfProductQuery(product))
  return <StockTable of="warehouse" rows={data} loading={isPlaceholderData} error={error} retry={refetch} />
}

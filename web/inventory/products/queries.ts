import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

export type ProductSort =
  | 'name'
  | '-name'
  | 'sku'
  | '-sku'
  | 'base_price'
  | '-base_price'
  | 'created_at'
  | '-created_at'
export type ProductList = {
  search?: string
  category?: number
  active?: boolean
  sort?: ProductSort
  page: number
  limit: number
}

export const productsQuery = (query: ProductList) =>
  queryOptions({
    queryKey: ['products', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/products', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

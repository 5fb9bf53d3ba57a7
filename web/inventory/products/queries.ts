import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { liveInvalidates } from '#web/frame/live.ts'
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

export const productQuery = (id: number) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/products/{id}', { params: { path: { id } }, signal })).data,
  })

export const batchesOfQuery = (product_id: number) =>
  queryOptions({
    queryKey: ['batches', 'of', product_id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/batches', { params: { query: { product_id, limit: 200 } }, signal })).data.batches,
  })

liveInvalidates(['product.*', 'stock.*', 'order.*', 'purchase_order.*'], ['products'])
liveInvalidates(['stock.*', 'batch.*'], ['batches'])

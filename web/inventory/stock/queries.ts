import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type Product, type StockRow } from '../api.ts'

export type StockFilter = { warehouse_id?: number; state?: 'low' | 'out'; search?: string }

export const stockQuery = (query: StockFilter & { page: number; limit: number }) =>
  queryOptions({
    queryKey: ['stock', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/inventory', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

/** The movements that add up to a quantity. */
export const ledgerQuery = (productId: number, warehouseId: number, page: { page: number; limit: number }) =>
  queryOptions({
    queryKey: ['stock', 'ledger', productId, warehouseId, page],
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/inventory/{product_id}/{warehouse_id}/movements', {
          params: { path: { product_id: productId, warehouse_id: warehouseId }, query: page },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })

/** What a warehouse has of a product that is kept there. */
export const stockRowQuery = (productId: number, warehouseId: number) =>
  ledgerQuery(productId, warehouseId, { page: 1, limit: 1 })

type MovementList = { product_id?: number; warehouse_id?: number; page: number; limit: number }

export const movementsQuery = (query: MovementList) =>
  queryOptions({
    queryKey: ['stock', 'movements', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/inventory/movements', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

/** What each warehouse has of a product. */
export const stockOfProductQuery = ({ id, stock }: Product) =>
  queryOptions({
    queryKey: ['stock', 'of', id, stock.map(({ warehouse_id }) => warehouse_id)],
    queryFn: async ({ signal }): Promise<StockRow[]> =>
      Promise.all(
        stock.map(
          async ({ warehouse_id }) =>
            (
              await api.GET('/api/inventory/{product_id}/{warehouse_id}/movements', {
                params: { path: { product_id: id, warehouse_id }, query: { limit: 1 } },
                signal,
              })
            ).data,
        ),
      ),
  })

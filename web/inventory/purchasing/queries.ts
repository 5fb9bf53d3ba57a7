import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type PurchaseOrderStatus } from '../api.ts'

export type PurchaseFilter = { search?: string; supplier_id?: number }
type PurchaseList = PurchaseFilter & {
  status?: PurchaseOrderStatus
  due?: boolean
  page: number
  limit: number
}

export const purchaseOrdersQuery = (query: PurchaseList) =>
  queryOptions({
    queryKey: ['purchasing', 'list', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/suppliers/purchase-orders/all', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const purchaseCountsQuery = (query: PurchaseFilter) =>
  queryOptions({
    queryKey: ['purchasing', 'counts', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/suppliers/purchase-orders/counts', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const purchaseOrderQuery = (id: number) =>
  queryOptions({
    queryKey: ['purchasing', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/suppliers/purchase-orders/{id}', { params: { path: { id } }, signal })).data,
  })

export type SuggestionFilter = { warehouse_id?: number; supplier_id?: number }

export const suggestionsQuery = (query: SuggestionFilter & { page: number; limit: number }) =>
  queryOptions({
    queryKey: ['reorder', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/inventory/reorder-suggestions', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

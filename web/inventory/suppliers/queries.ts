import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { liveInvalidates } from '#web/frame/live.ts'
import { api } from '../api.ts'

export type SupplierSort = 'name' | '-name' | 'created_at' | '-created_at'
type SupplierList = { search?: string; sort?: SupplierSort; page: number; limit: number }

export const suppliersQuery = (query: SupplierList) =>
  queryOptions({
    queryKey: ['suppliers', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/suppliers', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const supplierQuery = (id: number) =>
  queryOptions({
    queryKey: ['suppliers', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/suppliers/{id}', { params: { path: { id } }, signal })).data,
  })

type OrderList = { supplier_id: number; page: number; limit: number }

export const ordersOfSupplierQuery = (query: OrderList) =>
  queryOptions({
    queryKey: ['suppliers', 'orders', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/suppliers/purchase-orders/all', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

// Purchase orders change the totals.
liveInvalidates(['supplier.*', 'purchase_order.*'], ['suppliers'])

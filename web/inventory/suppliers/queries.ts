import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { liveInvalidates } from '#web/frame/live.ts'
import { api } from '../api.ts'

export type SupplierSort = 'name' | '-name' | 'created_at' | '-created_at'
type SupplierList = { search?: string; sort?: SupplierSort; page: number; limit: number }

/** Suppliers have no events: what others change is looked for. */
export const lookEveryMs = 10_000

export const suppliersQuery = (query: SupplierList) =>
  queryOptions({
    queryKey: ['suppliers', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/suppliers', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: lookEveryMs,
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
liveInvalidates(['purchase_order.*'], ['suppliers'])

import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

export type SupplierSort = 'name' | '-name' | 'created_at' | '-created_at'
type SupplierList = { search?: string; sort?: SupplierSort; page: number; limit: number }

export const supplierListQuery = (query: SupplierList) =>
  queryOptions({
    queryKey: ['suppliers', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/suppliers', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

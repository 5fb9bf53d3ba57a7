import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type Customer } from '../api.ts'

export type CustomerSort = 'name' | '-name' | 'created_at' | '-created_at'
type CustomerList = {
  search?: string
  type?: Customer['customer_type']
  sort?: CustomerSort
  page: number
  limit: number
}

export const customersQuery = (query: CustomerList) =>
  queryOptions({
    queryKey: ['customers', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/customers', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const customerQuery = (id: number) =>
  queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/customers/{id}', { params: { path: { id } }, signal })).data,
  })

// Orders change the totals.

import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type Serial } from '../api.ts'

type Pages = { page: number; limit: number }

export const traceQuery = (id: number) =>
  queryOptions({
    queryKey: ['batches', 'trace', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/batches/{id}/trace', { params: { path: { id } }, signal })).data,
  })

export type SerialFilter = {
  product_id?: number
  warehouse_id?: number
  status?: Serial['status']
  search?: string
}

export const serialsQuery = (query: SerialFilter & Pages) =>
  queryOptions({
    queryKey: ['serials', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/serials', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const serialQuery = (id: number) =>
  queryOptions({
    queryKey: ['serials', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/serials/{id}', { params: { path: { id } }, signal })).data,
  })

export const lifeQuery = (id: number) =>
  queryOptions({
    queryKey: ['serials', 'life', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/serials/{id}/timeline', { params: { path: { id } }, signal })).data.timeline,
  })

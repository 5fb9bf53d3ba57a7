import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

/** Suppliers to choose from, by name. */
export const suppliersQuery = queryOptions({
  queryKey: ['suppliers', 'all'],
  queryFn: async ({ signal }) =>
    (await api.GET('/api/suppliers', { params: { query: { sort: 'name', limit: 1000 } }, signal })).data
      .suppliers,
})

export const supplierQuery = (id: number) =>
  queryOptions({
    queryKey: ['suppliers', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/suppliers/{id}', { params: { path: { id } }, signal })).data,
  })

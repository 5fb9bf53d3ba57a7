import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

/** All suppliers, for lists to choose from. */
export const suppliersQuery = queryOptions({
  queryKey: ['suppliers', 'all'],
  queryFn: async ({ signal }) =>
    (await api.GET('/api/suppliers', { params: { query: { limit: 1000 } }, signal })).data.suppliers,
})

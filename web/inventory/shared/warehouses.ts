import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

export const warehousesQuery = queryOptions({
  queryKey: ['warehouses'],
  queryFn: async ({ signal }) => (await api.GET('/api/warehouses', { signal })).data.warehouses,
  staleTime: 60_000,
})

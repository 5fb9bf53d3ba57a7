import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async ({ signal }) => (await api.GET('/api/products/categories', { signal })).data.categories,
  staleTime: 60_000,
})

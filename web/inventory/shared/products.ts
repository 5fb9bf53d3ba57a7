import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

export const productQuery = (id: number) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/products/{id}', { params: { path: { id } }, signal })).data,
  })

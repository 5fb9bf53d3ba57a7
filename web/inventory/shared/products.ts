import { queryOptions } from '@tanstack/preact-query'
import { liveInvalidates } from '#web/frame/live.ts'
import { api } from '../api.ts'

export const productQuery = (id: number) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/products/{id}', { params: { path: { id } }, signal })).data,
  })

liveInvalidates(['product.*', 'stock.*', 'order.*', 'purchase_order.*'], ['products'])

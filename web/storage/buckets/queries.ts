import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

export const bucketsQuery = queryOptions({
  queryKey: ['buckets'],
  queryFn: async ({ signal }) => (await api.GET('/buckets', { signal })).data,
})

export const bucketQuery = (bucketId: string) =>
  queryOptions({
    queryKey: ['bucket', bucketId],
    queryFn: async ({ signal }) =>
      (await api.GET('/buckets/{bucketId}', { params: { path: { bucketId } }, signal })).data,
  })

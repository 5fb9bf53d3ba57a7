import { queryOptions } from '@tanstack/preact-query'
import { api, type Schemas } from '../api.ts'

export type ApiKey = Schemas['ApiKey']
export type NewApiKey = Schemas['ApiKeyCreated']

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await api.GET('/auth/api-keys', { signal })).data,
})

export const endpointsQuery = queryOptions({
  queryKey: ['endpoints'],
  queryFn: async ({ signal }) => (await api.GET('/endpoints', { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

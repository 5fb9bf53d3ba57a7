import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type Schemas } from '../api.ts'

export type Member = Schemas['Member']
export type ApiKey = Schemas['ApiKey']
export type UsageEntry = Schemas['UsageEntry']

export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: async ({ signal }) => (await api.GET('/api/company', { signal })).data,
})

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await api.GET('/api/settings', { signal })).data,
})

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await api.GET('/api/users', { signal })).data.users,
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await api.GET('/api/api-keys', { signal })).data.api_keys,
})

/** Requests with keys are no events, so that their log looks for news by itself while it is shown. */
const lookEveryMs = 3_000

export const usageQuery = (query: { api_key_id?: number; failed?: boolean; page: number; limit: number }) =>
  queryOptions({
    queryKey: ['usage', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/api-keys/logs/all', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: lookEveryMs,
  })

import { queryOptions } from '@tanstack/preact-query'
import { api, type Schemas } from '../api.ts'

export type Plan = Schemas['Plan']
export type Tiers = Schemas['Tiers']
export type Charge = Schemas['Invoice']

export const planQuery = queryOptions({
  queryKey: ['billing', 'plan'],
  queryFn: async ({ signal }) => (await api.GET('/billing/plan', { signal })).data,
})

export const tiersQuery = queryOptions({
  queryKey: ['billing', 'tiers'],
  queryFn: async ({ signal }) => (await api.GET('/billing/tiers', { signal })).data,
})

export const chargesQuery = queryOptions({
  queryKey: ['billing', 'charges'],
  queryFn: async ({ signal }) => (await api.GET('/billing/charges', { signal })).data,
})

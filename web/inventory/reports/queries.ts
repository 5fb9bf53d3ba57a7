import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'
import type { Grouping } from './period.ts'

export type Days = { from?: string | undefined; to?: string | undefined }
export type SalesSort = `${'' | '-'}${'quantity' | 'revenue' | 'cogs' | 'gross_margin'}`

export const financialQuery = (query: Days & { group_by: Grouping }) =>
  queryOptions({
    queryKey: ['reports', 'financial', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/reports/financial', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const salesQuery = (query: Days & { sort: SalesSort; page: number; limit: number }) =>
  queryOptions({
    queryKey: ['reports', 'sales', query],
    queryFn: async ({ signal }) => (await api.GET('/api/reports/cogs', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const valuationQuery = (query: { as_of?: string | undefined; page: number; limit: number }) =>
  queryOptions({
    queryKey: ['reports', 'valuation', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/reports/inventory', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const valueHistoryQuery = (query: Days) =>
  queryOptions({
    queryKey: ['reports', 'value-history', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/reports/inventory/history', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

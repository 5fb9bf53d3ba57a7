import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type CountStatus } from '../api.ts'

type Page = { page: number; limit: number }

export const countsQuery = (query: Page & { status?: CountStatus; warehouse_id?: number }) =>
  queryOptions({
    queryKey: ['counts', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/counts', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const countQuery = (id: number) =>
  queryOptions({
    queryKey: ['counts', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/counts/{id}', { params: { path: { id } }, signal })).data,
  })

/** The latest first, so that people see what they have just counted. */
export const countLinesQuery = (id: number, query: Page & { different?: boolean }) =>
  queryOptions({
    queryKey: ['counts', 'lines', id, query],
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/counts/{id}/lines', {
          params: { path: { id }, query: { ...query, sort: '-id' } },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })

export const uncountedQuery = (id: number, query: Page) =>
  queryOptions({
    queryKey: ['counts', 'uncounted', id, query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/counts/{id}/uncounted', { params: { path: { id }, query }, signal })).data,
    placeholderData: keepPreviousData,
  })

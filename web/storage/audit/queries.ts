import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type Schemas } from '../api.ts'

export type AuditEntry = Schemas['AuditLog']
export type AuditFilter = {
  objectKey?: string
  action?: string
  actorUserId?: string
  from?: string
  to?: string
}

export const auditQuery = (filter: AuditFilter, page: { limit: number; offset: number }) =>
  queryOptions({
    queryKey: ['audit', filter, page],
    queryFn: async ({ signal }) =>
      (await api.GET('/audit-logs', { params: { query: { ...filter, ...page } }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const choicesQuery = queryOptions({
  queryKey: ['audit-choices'],
  queryFn: async ({ signal }) => (await api.GET('/audit-logs/filters', { signal })).data,
})

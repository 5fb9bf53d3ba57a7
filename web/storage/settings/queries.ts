import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

/** The account as it is shown in the settings: the person and the organization. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await api.GET('/auth/me', { signal })).data,
  // The name of an organization has no event: what is shown looks for news by itself.
  refetchInterval: 10_000,
})

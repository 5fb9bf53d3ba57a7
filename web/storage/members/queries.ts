import { queryOptions } from '@tanstack/preact-query'
import { api, type Schemas } from '../api.ts'

export type Member = Schemas['Member']

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => (await api.GET('/members', { signal })).data,
})

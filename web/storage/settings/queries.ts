import { queryOptions } from '@tanstack/preact-query'
import { liveInvalidates } from '#web/frame/live.ts'
import { api } from '../api.ts'

/** The account as it is shown in the settings: the person and the organization. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await api.GET('/auth/me', { signal })).data,
})

liveInvalidates(['member.updated', 'plan.updated'], ['account'])

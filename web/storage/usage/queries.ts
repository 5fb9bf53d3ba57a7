import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

const dayMs = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

export const summaryQuery = queryOptions({
  queryKey: ['usage', 'summary'],
  queryFn: async ({ signal }) => (await api.GET('/usage/summary', { signal })).data,
})

/** Usage of so many days until today. */
export const historyQuery = (days: number) =>
  queryOptions({
    queryKey: ['usage', 'history', days],
    queryFn: async ({ signal }) => {
      const query = { from: dayOf(Date.now() - (days - 1) * dayMs), to: dayOf(Date.now()) }
      return (await api.GET('/usage/history', { params: { query }, signal })).data
    },
    placeholderData: keepPreviousData,
  })

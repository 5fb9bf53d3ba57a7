import { queryOptions } from '@tanstack/preact-query'
import { queries } from '#web/frame/queries.ts'
import { api, type Schemas } from '#web/storage/api.ts'
import type { Statement } from './statements.ts'

export type Question = Schemas['PolicyQuestion']

export const policyQuery = (bucketId: string) =>
  queryOptions({
    queryKey: ['policy', bucketId],
    queryFn: async ({ signal }): Promise<Statement[]> =>
      (await api.GET('/buckets/{bucketId}/policy', { params: { path: { bucketId } }, signal })).data,
  })

export const savePolicy = async (bucketId: string, statements: Statement[]) => {
  await api.PUT('/buckets/{bucketId}/policy', { params: { path: { bucketId } }, body: { statements } })
  await queries.invalidateQueries({ queryKey: ['policy', bucketId] })
}

export const simulate = async (bucketId: string, body: Question) =>
  (await api.POST('/buckets/{bucketId}/policy/simulate', { params: { path: { bucketId } }, body })).data

import { queryOptions } from '@tanstack/preact-query'
import { queries } from '#web/frame/queries.ts'
import { api, type Schemas } from '#web/storage/api.ts'
import { changeList, isOvertaken, type TaggedList, taggedList } from '../tagged-list.ts'
import type { Statement } from './statements.ts'

export type Question = Schemas['PolicyQuestion']

export const policyQuery = (bucketId: string) =>
  queryOptions({
    queryKey: ['policy', bucketId],
    queryFn: async ({ signal }): Promise<TaggedList<Statement>> => {
      const { data, response } = await api.GET('/buckets/{bucketId}/policy', {
        params: { path: { bucketId } },
        signal,
      })
      return taggedList(data, response)
    },
  })

/** Replaces the policy that has this tag. If there is another one by now, it is read before this fails. */
export const replacePolicy = async (bucketId: string, statements: Statement[], etag: string) => {
  const readAgain = () => queries.invalidateQueries({ queryKey: ['policy', bucketId] })
  try {
    await api.PUT('/buckets/{bucketId}/policy', {
      params: { path: { bucketId }, header: { 'If-Match': etag } },
      body: { statements },
    })
  } catch (error) {
    if (isOvertaken(error)) await readAgain()
    throw error
  }
  await readAgain()
}

/** Changes single statements, whatever others have saved meanwhile. */
export const changePolicy = (bucketId: string, change: (statements: Statement[]) => Statement[]) =>
  changeList({
    read: (isFirst) =>
      queries.fetchQuery({ ...policyQuery(bucketId), staleTime: isFirst ? Number.POSITIVE_INFINITY : 0 }),
    change,
    write: (statements, etag) => replacePolicy(bucketId, statements, etag),
  })

export const simulate = async (bucketId: string, body: Question) =>
  (await api.POST('/buckets/{bucketId}/policy/simulate', { params: { path: { bucketId } }, body })).data

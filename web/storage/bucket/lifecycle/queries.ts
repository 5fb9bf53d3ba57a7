import { queryOptions } from '@tanstack/preact-query'
import { queries } from '#web/frame/queries.ts'
import { api } from '#web/storage/api.ts'
import { errorsOfPart } from '../errors-of-part.ts'
import type { NewRule } from './rules.ts'

export const lifecycleQuery = (bucketId: string) =>
  queryOptions({
    queryKey: ['lifecycle', bucketId],
    queryFn: async ({ signal }) =>
      (await api.GET('/buckets/{bucketId}/lifecycle', { params: { path: { bucketId } }, signal })).data.rules,
  })

/** Replaces all rules of a bucket. What is in its trash goes at other times then. */
export const saveRules = async (bucketId: string, rules: NewRule[]) => {
  const params = { path: { bucketId } }
  const { data } = await errorsOfPart(
    'rules',
    api.PUT('/buckets/{bucketId}/lifecycle', { params, body: { rules } }),
  )
  queries.setQueryData(lifecycleQuery(bucketId).queryKey, data.rules)
  void queries.invalidateQueries({ queryKey: ['trash', bucketId] })
}

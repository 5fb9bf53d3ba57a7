import { queryOptions } from '@tanstack/preact-query'
import { queries } from '#web/frame/queries.ts'
import { api } from '#web/storage/api.ts'
import { errorsOfPart } from '../errors-of-part.ts'
import { changeList, type TaggedList, taggedList } from '../tagged-list.ts'
import type { NewRule, Rule } from './rules.ts'

export const lifecycleQuery = (bucketId: string) =>
  queryOptions({
    queryKey: ['lifecycle', bucketId],
    queryFn: async ({ signal }): Promise<TaggedList<Rule>> => {
      const { data, response } = await api.GET('/buckets/{bucketId}/lifecycle', {
        params: { path: { bucketId } },
        signal,
      })
      return taggedList(data.rules, response)
    },
  })

/** Changes single rules, whatever others have saved meanwhile. What is in the trash goes at other times then. */
export const changeRules = async (bucketId: string, change: (rules: Rule[]) => NewRule[]) => {
  const query = lifecycleQuery(bucketId)
  await changeList({
    read: (isFirst) => queries.fetchQuery({ ...query, staleTime: isFirst ? Number.POSITIVE_INFINITY : 0 }),
    change,
    async write(rules, etag) {
      const params = { path: { bucketId }, header: { 'If-Match': etag } }
      const { data, response } = await errorsOfPart(
        'rules',
        api.PUT('/buckets/{bucketId}/lifecycle', { params, body: { rules } }),
      )
      queries.setQueryData(query.queryKey, taggedList(data.rules, response))
    },
  })
  void queries.invalidateQueries({ queryKey: ['trash', bucketId] })
}

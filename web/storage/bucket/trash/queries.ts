import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type Schemas } from '#web/storage/api.ts'

export type Trashed = Schemas['TrashedObject']

export type TrashPage = { search: string; limit: number; cursor?: string | undefined }

export const trashQuery = (bucketId: string, { search, limit, cursor }: TrashPage) =>
  queryOptions({
    queryKey: ['trash', bucketId, search, limit, cursor],
    queryFn: async ({ signal }) => {
      const query = { limit, ...(search ? { search } : {}), ...(cursor ? { cursor } : {}) }
      const params = { path: { bucketId }, query }
      return (await api.GET('/buckets/{bucketId}/trash', { params, signal })).data
    },
    placeholderData: keepPreviousData,
  })

import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { queries } from '#web/frame/queries.ts'
import { api } from '../api.ts'
import { objectAt, type Place } from './transfer.ts'

export type FolderQuery = { prefix: string; search: string; cursor?: string | undefined; limit: number }

/** Everything about the objects of a bucket, so that one change renews all that is shown of them. */
const keyOf = (bucketId: string) => ['objects', bucketId]

export const renewObjects = (bucketId: string) => queries.invalidateQueries({ queryKey: keyOf(bucketId) })

export const folderQuery = (bucketId: string, { prefix, search, cursor, limit }: FolderQuery) =>
  queryOptions({
    queryKey: [...keyOf(bucketId), 'folder', prefix, search, cursor ?? '', limit],
    queryFn: ({ signal }) =>
      api.folder(bucketId, {
        prefix,
        limit,
        count: false,
        signal,
        ...(search ? { search } : {}),
        ...(cursor ? { cursor } : {}),
      }),
    // The rows before stay until the next ones are there.
    placeholderData: keepPreviousData,
  })

/** How many objects there are in a folder and below it, or match: asked for apart, because a large folder takes a while. */
export const totalQuery = (bucketId: string, { prefix, search }: Pick<FolderQuery, 'prefix' | 'search'>) =>
  queryOptions({
    queryKey: [...keyOf(bucketId), 'total', prefix, search],
    queryFn: async ({ signal }) =>
      (await api.folder(bucketId, { prefix, limit: 1, signal, ...(search ? { search } : {}) })).total,
  })

export const objectQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place.bucketId), 'object', place.key],
    queryFn: () => objectAt(api, place),
  })

/**
 * What else is known of an object. It is read again when the object has changed, and not on its own: of an object that is
 * gone there is nothing to read.
 */
const aboutKey = ({ bucketId, key }: Place) => ['about', bucketId, key]

export const renewAbout = (place: Place) => queries.invalidateQueries({ queryKey: aboutKey(place) })

export const versionsQuery = (place: Place, changedAt: string) =>
  queryOptions({
    queryKey: [...aboutKey(place), 'versions', changedAt],
    queryFn: async ({ signal }) => {
      const { data } = await api.GET('/buckets/{bucketId}/versions', {
        params: { path: { bucketId: place.bucketId }, query: { objectKey: place.key } },
        signal,
      })
      return Array.isArray(data) ? data : []
    },
    placeholderData: keepPreviousData,
  })

export const tagsQuery = (place: Place, changedAt: string) =>
  queryOptions({
    queryKey: [...aboutKey(place), 'tags', changedAt],
    queryFn: async ({ signal }) =>
      (
        await api.GET('/buckets/{bucketId}/object-tags', {
          params: { path: { bucketId: place.bucketId }, query: { objectKey: place.key } },
          signal,
        })
      ).data.tags,
    placeholderData: keepPreviousData,
  })

const mostEvents = 500

/** What happened to an object, newest first. */
export const eventsQuery = (place: Place, objectId: string, changedAt: string) =>
  queryOptions({
    queryKey: [...aboutKey(place), 'events', objectId, changedAt],
    queryFn: async ({ signal }) => {
      const query = { subject: `object/${objectId}`, limit: mostEvents }
      const { data } = await api.GET('/events', { params: { query }, signal, parseAs: 'json' })
      return (data as unknown as { events: ObjectEvent[] }).events.toReversed()
    },
    placeholderData: keepPreviousData,
  })

export type ObjectEvent = {
  id: string
  type: string
  created_at: string
  data: { reason?: string; object_key: string; previous?: { object_key: string } }
}

import { listing } from '#platform/db/listing.ts'
import { invalid } from '#platform/errors.ts'
import { authorizedBucket } from '../../buckets/authorize.ts'
import { liveObjectCount } from '../../buckets/usage.ts'
import type { Principal, Storage } from '../../context.ts'
import { withRemovals } from '../delete/removals.ts'
import type { ListQuery } from '../schema.ts'
import { countMatches, planFor } from './count.ts'
import * as store from './store.ts'

const maxPage = 1000

/** A cursor for a page that begins after this key, and with a prefix, after all keys that begin with it. */
export const cursorAfter = (text: string, isPrefix: boolean) =>
  encodeCursor((isPrefix && store.afterPrefix(text)) || store.afterKey(text))

const encodeCursor = (startAt: string) => Buffer.from(startAt).toString('base64url')
const decodeCursor = (cursor: string) => {
  const startAt = Buffer.from(cursor, 'base64url').toString('utf8')
  if (encodeCursor(startAt) !== cursor || startAt.includes('\0')) invalid('cursor', 'is not valid')
  return startAt
}

const delimiterOf = (text: string): store.Delimiter => ({
  text,
  after: store.afterPrefix(text) ?? invalid('delimiter', 'must have a character before U+10FFFF'),
})

type Page = {
  objects: store.ListedRow[]
  /** Only with a delimiter. */
  folders?: string[]
  total: number | null
  nextCursor: string | null
}

/** One page in the order of the keys; with `counted`, also the number of all matches. */
export const listObjects = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  { counted, isDated = false, ...query }: ListQuery & { limit: number; counted: boolean; isDated?: boolean },
): Promise<Page> => {
  const { prefix = '', search = '', cursor, delimiter, includeDeleted = false, offset = 0 } = query
  const bucket = await authorizedBucket(ctx, me, 'object.list', { bucketId, prefix })
  const startAt = cursor === undefined ? null : decodeCursor(cursor)
  const filter: store.Filter = { bucketId: bucket.id, prefix, search, startAt, includeDeleted, isDated }
  const slice = { limit: Math.min(query.limit, maxPage), offset }
  const page = delimiter
    ? await listFolder(ctx, filter, delimiterOf(delimiter), slice)
    : await listFlat(ctx, filter, slice)
  const objects = await withRemovals(ctx, bucket.id, page.objects)
  return { ...page, objects, total: counted ? await countAll(ctx, filter) : null }
}

/** Without a filter, the bucket's counter is the total. */
const countAll = (ctx: Storage, filter: store.Filter) =>
  filter.prefix || filter.search || filter.includeDeleted
    ? countMatches(ctx, filter)
    : liveObjectCount(ctx.db.sql, filter.bucketId)

/** With more matches than this, scanning the keys in order is faster than sorting all of them. */
const maxSorted = 10_000

/** How the matches of a search that are not among the next keys are found fastest. */
const planOf = async (ctx: Storage, filter: store.Filter): Promise<store.SearchPlan> => {
  if ((await planFor(ctx, filter)) === 'scan') return 'scan'
  return (await countMatches(ctx, filter)) <= maxSorted ? 'index' : 'scan'
}

/** Live objects whose key contains a text. Frequent texts are found among the next keys, rare ones by the index. */
const search = async (ctx: Storage, filter: store.Filter, slice: store.Slice) => {
  const found = await store.searchNextKeys(ctx.db.long, filter, slice)
  if (found.length === slice.limit) return found
  const isFirstPage = filter.startAt === null && slice.offset === 0
  if (isFirstPage && found.length === (await countMatches(ctx, filter))) return found
  const find = (await planOf(ctx, filter)) === 'index' ? store.searchByIndex : store.listObjects
  return find(ctx.db.long, filter, slice)
}

/** Reads one more than the page holds, to know whether there is a next page. */
const listFlat = async (ctx: Storage, filter: store.Filter, { limit, offset }: store.Slice) => {
  const slice = { limit: limit + 1, offset }
  const found =
    filter.search && !filter.includeDeleted
      ? await search(ctx, filter, slice)
      : await store.listObjects(listing(ctx.db, slice, filter.search), filter, slice)
  const objects = found.slice(0, limit)
  // Deleted objects may share a key, so a key cannot mark the end of their page: they are paged by offset.
  const isMore = found.length > limit && !filter.includeDeleted
  const last = objects.at(-1)
  return { objects, nextCursor: isMore && last ? encodeCursor(store.afterKey(last.object_key)) : null }
}

/** One level of the hierarchy: the objects directly in it, and its folders. */
const listFolder = async (
  ctx: Storage,
  filter: store.Filter,
  delimiter: store.Delimiter,
  { limit, offset }: store.Slice,
) => {
  const plan = filter.search ? await planOf(ctx, filter) : 'scan'
  const found = await store.listLevel(listing(ctx.db, { offset }, filter.search), filter, delimiter, {
    limit: limit + 1,
    offset,
    plan,
  })
  const entries = found.slice(0, limit)
  const keys = entries.filter(({ folder }) => folder === null).map(({ object_key }) => object_key)
  const folders = new Set(entries.flatMap(({ folder }) => folder ?? []))
  const objects = keys.length === 0 ? [] : await store.findObjects(ctx.db.sql, filter, keys)
  const last = entries.at(-1)
  const end =
    last &&
    (last.folder === null
      ? store.afterKey(last.object_key)
      : last.folder.slice(0, -delimiter.text.length) + delimiter.after)
  return {
    objects: [...objects],
    folders: [...folders],
    nextCursor: found.length > limit && end ? encodeCursor(end) : null,
  }
}

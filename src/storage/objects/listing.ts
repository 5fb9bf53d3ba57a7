import { invalid } from '#platform/errors.ts'
import { liveObjects } from '../buckets/accounting.ts'
import type { Principal, Storage } from '../context.ts'
import { bucketFor } from '../policies/authorize.ts'
import { countMatches, wayFor } from './counting.ts'
import * as store from './listing-store.ts'
import type { ListQuery } from './schema.ts'
import type { ObjectRow } from './store.ts'

const maxPage = 1000

const encodeCursor = (from: string) => Buffer.from(from).toString('base64url')
const decodeCursor = (cursor: string) => {
  const from = Buffer.from(cursor, 'base64url').toString('utf8')
  if (encodeCursor(from) !== cursor || from.includes('\0')) invalid('cursor', 'is not valid')
  return from
}

const delimiterOf = (text: string): store.Delimiter => ({
  text,
  after: store.afterPrefix(text) ?? invalid('delimiter', 'must have a character before U+10FFFF'),
})

export type Page = {
  objects: ObjectRow[]
  /** Only with a delimiter. */
  folders?: string[]
  total: number | null
  nextCursor: string | null
}

/** One page in the order of the keys; `counted` asks for the number of all matches. */
export const listObjects = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  query: ListQuery,
  { counted, defaultLimit }: { counted: boolean; defaultLimit: number },
): Promise<Page> => {
  const bucket = await bucketFor(ctx, me, bucketId, 'object.list', { prefix: query.prefix ?? '' })
  const limit = Math.min(query.limit ?? defaultLimit, maxPage)
  const offset = query.offset ?? 0
  const filter: store.Filter = {
    bucketId: bucket.id,
    prefix: query.prefix ?? '',
    search: query.search ?? '',
    from: query.cursor === undefined ? null : decodeCursor(query.cursor),
    includeDeleted: query.includeDeleted ?? false,
  }
  const page = query.delimiter
    ? await level(ctx, filter, delimiterOf(query.delimiter), limit, offset)
    : await flat(ctx, filter, limit, offset)
  return { ...page, total: counted ? await countAll(ctx, filter) : null }
}

/** Without a filter the bucket's own counter answers at once, however many there are. */
const countAll = (ctx: Storage, filter: store.Filter) =>
  filter.prefix || filter.search || filter.includeDeleted
    ? countMatches(ctx, filter)
    : liveObjects(ctx.db.sql, filter.bucketId)

/** So many matches, and no more, are worth being found all at once. */
const few = 10_000

/** How matches are best found, as far as they are not the next keys anyway. */
const rareOrCommon = async (ctx: Storage, filter: store.Filter): Promise<store.Way> =>
  (await wayFor(ctx, filter)) === 'index' && (await countMatches(ctx, filter)) <= few ? 'index' : 'walk'

const search = async (ctx: Storage, filter: store.Filter, limit: number, offset: number) => {
  const near = await store.searchNear(ctx.db.sql, filter, limit, offset)
  if (near.length === limit) return near
  const fromStart = filter.from === null && offset === 0
  if (fromStart && near.length === (await countMatches(ctx, filter))) return near
  const find = (await rareOrCommon(ctx, filter)) === 'index' ? store.searchRare : store.listObjects
  return find(ctx.db.sql, filter, limit, offset)
}

/** One more than asked for tells whether there is a next page. */
const flat = async (ctx: Storage, filter: store.Filter, limit: number, offset: number) => {
  const found =
    filter.search && !filter.includeDeleted
      ? await search(ctx, filter, limit + 1, offset)
      : await store.listObjects(ctx.db.sql, filter, limit + 1, offset)
  const objects = found.slice(0, limit)
  // Deleted objects share keys, so that a key does not say where among them a page ended: those go by offset.
  const more = found.length > limit && !filter.includeDeleted
  return { objects, nextCursor: more ? encodeCursor(store.afterKey(objects.at(-1)?.object_key ?? '')) : null }
}

const level = async (
  ctx: Storage,
  filter: store.Filter,
  delimiter: store.Delimiter,
  limit: number,
  offset: number,
) => {
  const way = filter.search ? await rareOrCommon(ctx, filter) : 'walk'
  const found = await store.listLevel(ctx.db.sql, filter, delimiter, { limit: limit + 1, offset, way })
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

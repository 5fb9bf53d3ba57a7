import { invalid } from '#platform/errors.ts'
import { authorizedBucket } from '../../buckets/authorize.ts'
import type { Principal, Storage } from '../../context.ts'
import * as lists from '../list/store.ts'
import * as store from './store.ts'

export type { ListedEntry } from './store.ts'

/** Where a page ends: after a folder, after all entries of a key, or after the one at a position. */
export type Place = { folder: string } | { key: string; position: number | null }

type Item = { folder: string } | { entry: store.ListedEntry }

type Question = { prefix: string; delimiter: string; after: Place | null; limit: number }

/** The history of all keys of a bucket: one page in the order of the keys, the newest entries of a key first. */
export const listHistory = async (
  ctx: Storage,
  me: Principal,
  bucketId: string,
  { prefix, delimiter, after, limit }: Question,
) => {
  const bucket = await authorizedBucket(ctx, me, 'object.list', { bucketId, prefix })
  const filter = { bucketId: bucket.id, prefix, search: '', startAt: startOf(after), includeDeleted: false }
  const more = limit + 1
  const next = await (delimiter ? nextOfLevel(ctx, filter, delimiter, more) : nextKeys(ctx, filter, more))
  const isWithin = after !== null && 'key' in after && after.position !== null
  const begun = isWithin && after.key.startsWith(prefix) ? [{ object_key: after.key, folder: null }] : []
  const level = [...begun, ...next]
  const keys = level.filter(({ folder }) => folder === null).map(({ object_key }) => object_key)
  const below = begun.length > 0 && isWithin ? after.position : null
  const entries =
    keys.length === 0 ? [] : await store.listEntries(ctx.db.sql, bucket.id, keys, { below, limit: more })
  const items = itemsOf(level, entries, more)
  const page = items.slice(0, limit)
  return { items: page, next: items.length > limit ? placeOf(page.at(-1)) : null }
}

const startOf = (after: Place | null) => {
  if (after === null) return null
  return 'key' in after
    ? lists.afterKey(after.key)
    : (lists.afterPrefix(after.folder) ?? lists.afterKey(after.folder))
}

const nextKeys = async (ctx: Storage, filter: lists.Filter, limit: number): Promise<lists.Entry[]> =>
  (await store.listKeys(ctx.db.sql, filter, limit)).map(({ object_key }) => ({ object_key, folder: null }))

const nextOfLevel = (ctx: Storage, filter: lists.Filter, text: string, limit: number) => {
  const after = lists.afterPrefix(text) ?? invalid('delimiter', 'must have a character before U+10FFFF')
  const slice = { limit, offset: 0, plan: 'scan' } as const
  return lists.listLevel(ctx.db.sql, { ...filter, includeMarkers: true }, { text, after }, slice)
}

/** Puts the entries of keys and the folders into one order. */
const itemsOf = (level: readonly lists.Entry[], entries: readonly store.ListedEntry[], limit: number) => {
  const items: Item[] = []
  let at = 0
  for (const { object_key, folder } of level) {
    if (folder !== null) items.push({ folder })
    for (let entry = entries[at]; entry?.object_key === object_key; entry = entries[++at])
      items.push({ entry })
    if (items.length >= limit || (folder === null && at === limit)) break
  }
  return items.slice(0, limit)
}

const placeOf = (item: Item | undefined): Place | null => {
  if (item === undefined) return null
  if ('folder' in item) return item
  return { key: item.entry.object_key, position: item.entry.position }
}

import type { Sql } from '#platform/db/database.ts'
import { columns, type ObjectRow } from './store.ts'

/** `from` is where the page before ended: the least text behind its last key, or behind all keys of its last folder. */
export type Filter = {
  bucketId: string
  prefix: string
  search: string
  from: string | null
  includeDeleted: boolean
}

/** The least text that is greater than everything that starts with this prefix; null if there is none. */
export const afterPrefix = (prefix: string): string | null => {
  const points = [...prefix]
  while (points.length > 0) {
    const last = (points.pop() as string).codePointAt(0) as number
    if (last < 0x10ffff) return points.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1)
  }
  return null
}

/** The least text that is greater than this key: keys hold no control characters. */
export const afterKey = (key: string) => `${key}\u0001`

const indexed = 600
/** How many keys a search looks through before it asks how many matches there are at all. */
const near = 2_000
const start = (text: string) => [...text].slice(0, indexed).join('')

/** The bounds are those of the index, which knows the start of a key only; the rest is compared afterwards. */
const inRange = (q: Sql, { bucketId, prefix }: Filter) => {
  const end = afterPrefix(start(prefix))
  return q`
    bucket_id = ${bucketId}
    ${prefix ? q`and left(object_key, 600) >= ${start(prefix)} and starts_with(object_key, ${prefix})` : q``}
    ${prefix && end ? q`and left(object_key, 600) < ${end}` : q``}`
}

/**
 * The index of substrings knows one spelling only, so that whoever asks decides how they are found: by this index,
 * or by a walk through the keys in order.
 */
export type Way = 'index' | 'walk'

const contains = (q: Sql, search: string, way: Way) =>
  q`${way === 'index' ? q`(object_key || '')` : q`object_key`} like ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`

const matches = (q: Sql, f: Filter, way: Way = 'walk') =>
  q`${inRange(q, f)} ${f.search ? q`and ${contains(q, f.search, way)}` : q``}`

const beyond = (q: Sql, from: string | null) =>
  from === null ? q`` : q`and (left(object_key, 600), object_key) >= (${start(from)}, ${from})`

const inOrder = (q: Sql) => q`order by left(object_key, 600), object_key`

export const listObjects = (q: Sql, f: Filter, limit: number, offset: number) => {
  const those = (state: 'live' | 'deleted', upTo: number) => q`
    select ${columns(q)} from storage.objects
    where ${matches(q, f)} ${beyond(q, f.from)} and deleted_at is ${state === 'live' ? q`null` : q`not null`}
    ${inOrder(q)} limit ${upTo}`
  if (!f.includeDeleted) return q<ObjectRow[]>`${those('live', limit)} offset ${offset}`
  const enough = Math.min(limit + offset, Number.MAX_SAFE_INTEGER)
  return q<ObjectRow[]>`
    select * from ((${those('live', enough)}) union all (${those('deleted', enough)})) found
    order by object_key, is_deleted, id limit ${limit} offset ${offset}`
}

/** Live objects whose key contains something, among the next keys in order: enough for whatever is common. */
export const searchNear = (q: Sql, f: Filter, limit: number, offset: number) => q<ObjectRow[]>`
  select * from (
    select ${columns(q)} from storage.objects
    where ${inRange(q, f)} ${beyond(q, f.from)} and deleted_at is null ${inOrder(q)} limit ${near}) near
  where ${contains(q, f.search, 'walk')} order by object_key limit ${limit} offset ${offset}`

/** All that there are at once: for what is rare. */
export const searchRare = (q: Sql, f: Filter, limit: number, offset: number) => q<ObjectRow[]>`
  with rare as materialized (
    select ${columns(q)} from storage.objects
    where ${matches(q, f, 'index')} ${beyond(q, f.from)} and deleted_at is null)
  select * from rare order by object_key limit ${limit} offset ${offset}`

/** A number of matches, and the last change of the bucket that it knows of. */
export type Counted = { total: number; upTo: number }

/**
 * One statement, and so one moment: what is counted and the changes it includes belong together. Live and deleted
 * objects have an index each.
 */
export const countObjects = async (q: Sql, f: Filter, way: Way) => {
  const those = (state: 'live' | 'deleted') => q`
    (select count(*) from storage.objects
      where ${matches(q, f, way)} and deleted_at is ${state === 'live' ? q`null` : q`not null`})`
  const [counted] = await q<Counted[]>`
    select ${those('live')} ${f.includeDeleted ? q`+ ${those('deleted')}` : q``} as total, coalesce(
      (select max(id) from storage.listing_changes where bucket_id = ${f.bucketId}), 0) as "upTo"`
  return counted as Counted
}

/** The same number as of now. Changes of a bucket become visible in the order of their ids. */
export const countSince = async (q: Sql, f: Filter, { total, upTo }: Counted) =>
  (
    await q<Counted[]>`
      select ${total}::int8 + coalesce(sum(step) filter (where ${matches(q, f)}
          ${f.includeDeleted ? q`` : q`and is_live`}), 0)::int8 as total,
        coalesce(max(id), ${upTo}::int8) as "upTo"
      from storage.listing_changes where bucket_id = ${f.bucketId} and id > ${upTo}`
  )[0] as Counted

export const forgetChanges = (q: Sql, afterMs: number) => q`
  delete from storage.listing_changes where noted_at < now() - ${afterMs} * interval '1 millisecond'`

/** A level of the hierarchy: an object (`folder` null), or a folder that stands for all keys below it. */
export type Entry = { object_key: string; folder: string | null }

/** A delimiter ends every folder, so that what comes behind it begins with what comes behind the delimiter. */
export type Delimiter = { text: string; after: string }

/**
 * Jumps from entry to entry through the index, over whatever a folder contains, so that the cost depends on what
 * is listed and not on what is in the folders.
 */
export const listLevel = (
  q: Sql,
  f: Filter,
  { text: delimiter, after: behind }: Delimiter,
  { limit, offset, way }: { limit: number; offset: number; way: Way },
) => {
  const depth = [...f.prefix].length
  const first = (state: 'live' | 'deleted', after: ReturnType<typeof beyond>) => q`
    select object_key from storage.objects
    where ${matches(q, f)} ${after} and deleted_at is ${state === 'live' ? q`null` : q`not null`}
    ${inOrder(q)} limit 1`
  const candidates = (after: ReturnType<typeof beyond>) => {
    if (way === 'index') return q`select object_key from rare where true ${after}`
    if (!f.includeDeleted) return first('live', after)
    return q`(${first('live', after)}) union all (${first('deleted', after)})`
  }
  const next = (after: ReturnType<typeof beyond>) => q`
    select object_key, case when position(${delimiter} in substr(object_key, ${depth + 1})) > 0
        then left(object_key, ${depth} + position(${delimiter} in substr(object_key, ${depth + 1}))
          + char_length(${delimiter}) - 1) end as folder
    from (${candidates(after)}) candidates ${inOrder(q)} limit 1`
  const rare = q`rare as materialized (
    select object_key from storage.objects
    where ${matches(q, f, 'index')} ${f.includeDeleted ? q`` : q`and deleted_at is null`}),`
  const bound = q`case when walk.folder is null then walk.object_key || chr(1)
    else left(walk.folder, char_length(walk.folder) - char_length(${delimiter}::text)) || ${behind}::text end`
  return q<Entry[]>`
    with recursive ${way === 'index' ? rare : q``} walk as (
      (${next(beyond(q, f.from))})
      union all
      select found.object_key, found.folder from walk cross join lateral (
        ${next(q`and (left(object_key, 600), object_key) >= (left(${bound}, 600), ${bound})`)}) found
    )
    select object_key, folder from walk limit ${limit} offset ${offset}`
}

/** Of one key, however often it was deleted. */
const maxOfKey = 100

/** Key by key: asked for all at once, the planner may rather walk through the whole bucket. */
export const findObjects = (q: Sql, { bucketId, includeDeleted }: Filter, keys: string[]) => {
  const those = (state: 'live' | 'deleted') => q`
    select ${columns(q)} from storage.objects
    where bucket_id = ${bucketId} and left(object_key, 600) = left(asked.key, 600) and object_key = asked.key
      and deleted_at is ${state === 'live' ? q`null` : q`not null`} limit ${maxOfKey}`
  return q<ObjectRow[]>`
    select found.* from unnest(${keys}::text[]) with ordinality as asked (key, position)
    cross join lateral (
      (${those('live')}) ${includeDeleted ? q`union all (${those('deleted')})` : q``}) found
    order by asked.position, found.is_deleted, found.id`
}

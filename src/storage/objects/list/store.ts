import type { Sql } from '#platform/db/database.ts'
import { escapeLike, one } from '#platform/db/rows.ts'
import { columns, type KeptHeaders, type ObjectRow } from '../store.ts'

export type Filter = {
  bucketId: string
  prefix: string
  search: string
  /** Where the page begins: the least text after the last key, or after all keys of the last folder, of the page before. */
  startAt: string | null
  includeDeleted: boolean
  /** Also keys that have a marker, for levels of the hierarchy. */
  includeMarkers?: boolean
  /** Also when the contents were stored, and the headers that are kept with them. */
  isDated?: boolean
}

export type Slice = { limit: number; offset: number }

/** The least text that is greater than everything that starts with this prefix; null if there is none. */
export const afterPrefix = (prefix: string): string | null => {
  const points = [...prefix]
  while (points.length > 0) {
    const last = (points.pop() as string).codePointAt(0) as number
    if (last < 0x10ffff) return points.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1)
  }
  return null
}

/** The least text that is greater than this key; keys contain no control characters. */
export const afterKey = (key: string) => `${key}\u0001`

/** The indexes hold the first 600 characters of a key. */
const indexed = 600
/** How many keys a search scans before it finds out how many matches there are. */
const scannedFirst = 2_000
const start = (text: string) => [...text].slice(0, indexed).join('')

/** The bounds are for the index, which holds the start of a key only; the rest is compared afterwards. */
const inRange = (q: Sql, { bucketId, prefix }: Filter) => {
  const end = afterPrefix(start(prefix))
  return q`
    bucket_id = ${bucketId}
    ${prefix ? q`and left(object_key, 600) >= ${start(prefix)} and starts_with(object_key, ${prefix})` : q``}
    ${prefix && end ? q`and left(object_key, 600) < ${end}` : q``}`
}

/** How keys that contain a text are found: with the trigram index, or by scanning the keys in order. */
export type SearchPlan = 'index' | 'scan'

/** The trigram index is on an expression, so that the statement decides whether it is used. */
const contains = (q: Sql, search: string, plan: SearchPlan) =>
  q`${plan === 'index' ? q`(object_key || '')` : q`object_key`} like ${`%${escapeLike(search)}%`}`

export const matches = (q: Sql, f: Filter, plan: SearchPlan = 'scan') =>
  q`${inRange(q, f)} ${f.search ? q`and ${contains(q, f.search, plan)}` : q``}`

export const startingAt = (q: Sql, text: string | null) =>
  text === null ? q`` : q`and (left(object_key, 600), object_key) >= (${start(text)}, ${text})`

export const inOrder = (q: Sql) => q`order by left(object_key, 600), object_key`

/** What the filter asks for is there. */
export type ListedRow = ObjectRow & { stored_at?: string; headers?: KeptHeaders }

const listed = (q: Sql, { isDated }: Pick<Filter, 'isDated'>) =>
  q`${columns(q)} ${isDated ? q`, stored_at, headers` : q``}`

export const listObjects = (q: Sql, f: Filter, { limit, offset }: Slice) => {
  const those = (state: 'live' | 'deleted', upTo: number) => q`
    select ${listed(q, f)} from storage.objects
    where ${matches(q, f)} ${startingAt(q, f.startAt)} and deleted_at is ${state === 'live' ? q`null` : q`not null`}
    ${inOrder(q)} limit ${upTo}`
  if (!f.includeDeleted) return q<ListedRow[]>`${those('live', limit)} offset ${offset}`
  const enough = Math.min(limit + offset, Number.MAX_SAFE_INTEGER)
  return q<ListedRow[]>`
    select * from ((${those('live', enough)}) union all (${those('deleted', enough)})) found
    order by object_key, is_deleted, id limit ${limit} offset ${offset}`
}

/** Live objects that match, among the next keys in order. */
export const searchNextKeys = (q: Sql, f: Filter, { limit, offset }: Slice) => q<ObjectRow[]>`
  select * from (
    select ${columns(q)} from storage.objects
    where ${inRange(q, f)} ${startingAt(q, f.startAt)} and deleted_at is null ${inOrder(q)} limit ${scannedFirst}) next_keys
  where ${contains(q, f.search, 'scan')} order by object_key limit ${limit} offset ${offset}`

/** Finds all live objects that match, and sorts them: for texts with few matches. */
export const searchByIndex = (q: Sql, f: Filter, { limit, offset }: Slice) => q<ObjectRow[]>`
  with found as materialized (
    select ${columns(q)} from storage.objects
    where ${matches(q, f, 'index')} ${startingAt(q, f.startAt)} and deleted_at is null)
  select * from found order by object_key limit ${limit} offset ${offset}`

/** A number of matches, and the last change of the bucket that it includes. */
export type Counted = { total: number; upTo: number }

/** One statement, so that the count and the last change are of one snapshot. Live and deleted objects have an index each. */
export const countObjects = (q: Sql, f: Filter, plan: SearchPlan) => {
  const those = (state: 'live' | 'deleted') => q`
    (select count(*) from storage.objects
      where ${matches(q, f, plan)} and deleted_at is ${state === 'live' ? q`null` : q`not null`})`
  return one(q<Counted[]>`
    select ${those('live')} ${f.includeDeleted ? q`+ ${those('deleted')}` : q``} as total, coalesce(
      (select max(id) from storage.listing_changes where bucket_id = ${f.bucketId}), 0) as "upTo"`)
}

/** The same count as of now. The changes of a bucket become visible in the order of their ids. */
export const countSince = (q: Sql, f: Filter, { total, upTo }: Counted) =>
  one(q<Counted[]>`
    select ${total}::int8 + coalesce(sum(step) filter (where ${matches(q, f)}
        ${f.includeDeleted ? q`` : q`and is_live`}), 0)::int8 as total,
      coalesce(max(id), ${upTo}::int8) as "upTo"
    from storage.listing_changes where bucket_id = ${f.bucketId} and id > ${upTo}`)

export const forgetChanges = (q: Sql, afterMs: number) => q`
  delete from storage.listing_changes where noted_at < now() - ${afterMs} * interval '1 millisecond'`

/** An entry of a level of the hierarchy: an object (`folder` is null), or a folder with all keys below it. */
export type Entry = { object_key: string; folder: string | null }

/** `after` is the least text greater than everything that starts with the delimiter: a folder's keys end before it. */
export type Delimiter = { text: string; after: string }

/** Jumps from entry to entry with the index, skipping the contents of folders, so that their size costs nothing. */
export const listLevel = (
  q: Sql,
  f: Filter,
  { text: delimiter, after: afterDelimiter }: Delimiter,
  { limit, offset, plan }: Slice & { plan: SearchPlan },
) => {
  const depth = [...f.prefix].length
  const first = (state: 'live' | 'deleted', after: ReturnType<typeof startingAt>) => q`
    select object_key from storage.objects
    where ${matches(q, f)} ${after} and deleted_at is ${state === 'live' ? q`null` : q`not null`}
    ${inOrder(q)} limit 1`
  const candidates = (after: ReturnType<typeof startingAt>) => {
    if (plan === 'index') return q`select object_key from found where true ${after}`
    if (f.includeMarkers)
      return q`(${first('live', after)}) union all (
        select object_key from storage.markers where ${matches(q, f)} ${after} ${inOrder(q)} limit 1)`
    if (!f.includeDeleted) return first('live', after)
    return q`(${first('live', after)}) union all (${first('deleted', after)})`
  }
  const next = (after: ReturnType<typeof startingAt>) => q`
    select object_key, case when position(${delimiter} in substr(object_key, ${depth + 1})) > 0
        then left(object_key, ${depth} + position(${delimiter} in substr(object_key, ${depth + 1}))
          + char_length(${delimiter}) - 1) end as folder
    from (${candidates(after)}) candidates ${inOrder(q)} limit 1`
  const found = q`found as materialized (
    select object_key from storage.objects
    where ${matches(q, f, 'index')} ${f.includeDeleted ? q`` : q`and deleted_at is null`}),`
  const bound = q`case when entry.folder is null then entry.object_key || chr(1)
    else left(entry.folder, char_length(entry.folder) - char_length(${delimiter}::text)) || ${afterDelimiter}::text end`
  return q<Entry[]>`
    with recursive ${plan === 'index' ? found : q``} entry as (
      (${next(startingAt(q, f.startAt))})
      union all
      select next_entry.object_key, next_entry.folder from entry cross join lateral (
        ${next(q`and (left(object_key, 600), object_key) >= (left(${bound}, 600), ${bound})`)}) next_entry
    )
    select object_key, folder from entry limit ${limit} offset ${offset}`
}

/** The most objects of one key that are listed, however often it was deleted. */
const maxOfKey = 100

/** Looks up key by key; for all keys at once, the planner may choose to scan the whole bucket. */
export const findObjects = (
  q: Sql,
  { bucketId, includeDeleted, isDated = false }: Filter,
  keys: string[],
) => {
  const those = (state: 'live' | 'deleted') => q`
    select ${listed(q, { isDated })} from storage.objects
    where bucket_id = ${bucketId} and left(object_key, 600) = left(asked.key, 600) and object_key = asked.key
      and deleted_at is ${state === 'live' ? q`null` : q`not null`} limit ${maxOfKey}`
  return q<ListedRow[]>`
    select found.* from unnest(${keys}::text[]) with ordinality as asked (key, position)
    cross join lateral (
      (${those('live')}) ${includeDeleted ? q`union all (${those('deleted')})` : q``}) found
    order by asked.position, found.is_deleted, found.id`
}

import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne } from '#platform/db/rows.ts'

/** `checksum`: what the client has verified it with, if it is a part of an upload. */
export type BlobRow = {
  id: string
  size: number
  md5: Buffer
  inline: boolean
  damaged: boolean
  checksum: unknown
}

/** Removes one reference for each mention; a blob without references waits to be collected. */
export const releaseBlobs = (q: Sql, ids: string[], now: Date) => q`
  select storage.count_references('{}', ${ids}::uuid[], ${now})`

/** In the order of the ids. */
export const findBlobs = (q: Sql, ids: readonly string[]) => q<BlobRow[]>`
  select b.id, b.size_bytes as size, b.md5, b.data is not null as inline, b.damaged_at is not null as damaged,
    b.checksum
  from unnest(${ids as string[]}::uuid[]) with ordinality as asked (id, position)
  join storage.blobs b on b.id = asked.id order by asked.position`

export const readInline = async (q: Sql, id: string) => {
  const row = await maybeOne(
    q<{ data: Buffer }[]>`select data from storage.blobs where id = ${id} and data is not null`,
  )
  return row?.data
}

export const readSums = async (
  q: Sql,
  id: string,
  { offset, length }: { offset: number; length: number },
) => {
  const row = await maybeOne(q<{ sums: Buffer | null }[]>`
    select substring(piece_sums from ${offset + 1} for ${length}) as sums from storage.blobs where id = ${id}`)
  return row?.sums ?? null
}

/** Deletes the rows of blobs that had no references since `before`; the bytes outside are left to be removed. */
export const collectReleased = (q: Sql, before: Date, limit: number) => q<{ id: string; inline: boolean }[]>`
  delete from storage.blobs where id in (
    select id from storage.blobs where refs = 0 and released_at < ${before}
    order by released_at limit ${limit} for update skip locked)
  returning id, data is not null as inline`

export const knownAmong = (q: Sql, ids: string[]) => q<{ id: string }[]>`
  select id from storage.blobs where id = any(${ids}::uuid[])`

export type StoredBlob = { id: string; size: number; md5: Buffer; inline: boolean }
/** `intact`: whether the bytes in its row have their hash; null if they are in the engine. */
export type HashedBlob = StoredBlob & { intact: boolean | null; damaged: boolean }

export const hashedAfter = (q: Sql, id: string, limit: number, which: Fragment = q`true`) => q<HashedBlob[]>`
  select id, size_bytes as size, md5, data is not null as inline, decode(md5(data), 'hex') = md5 as intact,
    damaged_at is not null as damaged
  from storage.blobs where id > ${id} and refs > 0 and ${which} order by id limit ${limit}`

export const damagedAfter = (q: Sql, id: string, limit: number) =>
  hashedAfter(q, id, limit, q`damaged_at is not null`)

/** Blobs with references whose bytes are in the engine. */
export const heldOutside = (q: Sql, after: string, limit: number) => q<StoredBlob[]>`
  select id, size_bytes as size, md5, false as inline from storage.blobs
  where id > ${after} and refs > 0 and data is null order by id limit ${limit}`

export const markDamaged = (q: Sql, id: string, damaged: boolean, now: Date) => q`
  update storage.blobs set damaged_at = case when ${damaged} then ${now}::timestamptz end
  where id = ${id} and (damaged_at is not null) <> ${damaged}`

/** `position`: the last id that was reached; null once there are no more. */
type Progress = { position: string | null; began_at: string }

export const findProgress = (q: Sql, job: string) =>
  maybeOne(q<Progress[]>`select position, began_at from storage.progress where job = ${job}`)

export const saveProgress = (q: Sql, job: string, { position, began_at }: Progress) => q`
  insert into storage.progress (job, position, began_at) values (${job}, ${position}, ${began_at})
  on conflict (job) do update set position = excluded.position, began_at = excluded.began_at`

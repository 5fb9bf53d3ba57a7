import type { Sql } from '#platform/db/database.ts'
import type { NewBlob } from './receive.ts'

export type BlobRow = { id: string; size: number; md5: Buffer; inline: boolean; damaged: boolean }

export const insertBlob = async (q: Sql, orgId: string, b: NewBlob, now: Date) => {
  await q`
    insert into storage.blobs (id, org_id, size_bytes, md5, data, piece_sums, created_at)
    values (${b.id}, ${orgId}, ${b.size}, ${b.md5}, ${b.data}, ${b.pieceSums}, ${now})`
}

/** One more content holds each of these; they are locked in one order wherever several are. */
export const retainBlobs = async (q: Sql, ids: string[]) => {
  await q`
    update storage.blobs b set refs = b.refs + 1
    from (select id from storage.blobs where id = any(${ids}::uuid[]) order by id for update) held
    where b.id = held.id`
}

/** One content less for each mention; a blob that nobody holds any more waits to be collected. */
export const releaseBlobs = async (q: Sql, ids: string[], now: Date) => {
  await q`
    update storage.blobs b
    set refs = b.refs - held.times, released_at = case when b.refs = held.times then ${now}::timestamptz end
    from (
      select b.id, m.times from storage.blobs b
      join (select id, count(*)::int as times from unnest(${ids}::uuid[]) as id group by id) m on m.id = b.id
      order by b.id for update of b
    ) held
    where b.id = held.id`
}

/** In the order they were asked for. */
export const findBlobs = (q: Sql, ids: readonly string[]) => q<BlobRow[]>`
  select b.id, b.size_bytes as size, b.md5, b.data is not null as inline, b.damaged_at is not null as damaged
  from unnest(${ids as string[]}::uuid[]) with ordinality as asked (id, position)
  join storage.blobs b on b.id = asked.id order by asked.position`

export const readInline = async (q: Sql, id: string) =>
  (await q<{ data: Buffer }[]>`select data from storage.blobs where id = ${id} and data is not null`)[0]?.data

export const readSums = async (q: Sql, id: string, { offset, length }: { offset: number; length: number }) =>
  (
    await q<{ sums: Buffer | null }[]>`
      select substring(piece_sums from ${offset + 1} for ${length}) as sums from storage.blobs where id = ${id}`
  )[0]?.sums ?? null

/** Forgets blobs that nobody has held since `before`, and returns which are left to be removed outside. */
export const collectReleased = (q: Sql, before: Date, limit: number) => q<{ id: string; inline: boolean }[]>`
  delete from storage.blobs where id in (
    select id from storage.blobs where refs = 0 and released_at < ${before}
    order by released_at limit ${limit} for update skip locked)
  returning id, data is not null as inline`

export const knownAmong = (q: Sql, ids: string[]) => q<{ id: string }[]>`
  select id from storage.blobs where id = any(${ids}::uuid[])`

export type StoredBlob = { id: string; size: number; md5: Buffer; inline: boolean }

export const blobsAfter = (q: Sql, id: string, limit: number) => q<StoredBlob[]>`
  select id, size_bytes as size, md5, data is not null as inline from storage.blobs
  where id > ${id} and refs > 0 order by id limit ${limit}`

/** Before all others. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Those whose bytes are in the engine and that some content holds. */
export const heldOutside = (q: Sql, after: string, limit: number) => q<StoredBlob[]>`
  select id, size_bytes as size, md5, false as inline from storage.blobs
  where id > ${after} and refs > 0 and data is null order by id limit ${limit}`

export const markDamaged = (q: Sql, id: string, damaged: boolean, now: Date) => q`
  update storage.blobs set damaged_at = case when ${damaged} then ${now}::timestamptz end
  where id = ${id} and (damaged_at is not null) <> ${damaged}`

/** Which database this is. A copy that was restored elsewhere is another one. */
export const databaseIdentity = async (q: Sql) =>
  (
    await q<{ id: string }[]>`
      select format('%s/%s', c.system_identifier, d.oid) as id
      from pg_control_system() c, pg_database d where d.datname = current_database()`
  )[0]!.id

export const findProgress = async (q: Sql, job: string) =>
  (await q<{ position: string }[]>`select position from storage.progress where job = ${job}`)[0]?.position

export const saveProgress = (q: Sql, job: string, position: string) => q`
  insert into storage.progress (job, position) values (${job}, ${position})
  on conflict (job) do update set position = excluded.position`

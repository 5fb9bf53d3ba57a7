import type { Sql } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import type { Kind, Variant } from '../picture-urls.ts'

export type PictureFile = { id: string; variant: Variant; size: number; md5: Buffer }
export type NewPicture = { userId: number; kind: Kind; path: string; files: PictureFile[] }

/** Shows the picture in place of the one that the account had; false if there is no such account. */
export const setPicture = async (q: Sql, { userId, kind, path, files }: NewPicture) => {
  const [ids, variants] = [files.map(({ id }) => id), files.map(({ variant }) => variant)]
  const [sizes, md5s] = [files.map(({ size }) => size), files.map(({ md5 }) => md5)]
  const done = await value<boolean>(q`
    select publishing.set_picture(
      ${userId}, ${kind}, ${path}, ${ids}::uuid[], ${variants}::text[], ${sizes}::int[], ${md5s}::bytea[]) as done`)
  return done
}

export type StoredFile = { userId: number; id: string; size: number; md5: Buffer }

/** By the path that the account stores. */
export const findFile = (q: Sql, path: string, variant: Variant) =>
  maybeOne(q<StoredFile[]>`
    select p.user_id as "userId", f.id, f.size_bytes as size, f.md5
    from publishing.pictures p join publishing.picture_files f on f.path = p.path
    where p.path = ${path} and f.variant = ${variant}`)

export type HeldFile = { id: string; size: number; md5: Buffer; path: string }

/** Files of pictures that accounts show. */
export const heldFiles = (q: Sql, after: string, limit: number) => q<HeldFile[]>`
  select id, size_bytes as size, md5, path from publishing.picture_files
  where id > ${after} and path is not null order by id limit ${limit}`

export const hasReleased = (q: Sql) =>
  value<boolean>(q`
      select exists (select from publishing.picture_files where path is null) as found`)

/** Deletes the rows of files whose picture is gone; the bytes are left to be removed. */
export const takeReleased = (q: Sql, limit: number) => q<{ id: string }[]>`
  delete from publishing.picture_files where id in (
    select id from publishing.picture_files where path is null limit ${limit} for update skip locked)
  returning id`

export const knownAmong = (q: Sql, ids: string[]) => q<{ id: string }[]>`
  select id from publishing.picture_files where id = any(${ids}::uuid[])`

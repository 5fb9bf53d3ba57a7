import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Kind, Variant } from '../picture-urls.ts'

export type NewPicture = { userId: number; kind: Kind; path: string; large: Buffer; small: Buffer }

/** Shows the picture in place of the one that the account had; false if there is no such account. */
export const setPicture = async (q: Sql, { userId, kind, path, large, small }: NewPicture) =>
  (
    await one(q<{ done: boolean }[]>`
      select publishing.set_picture(${userId}, ${kind}, ${path}, ${large}, ${small}) as done`)
  ).done

/** By the path that the account stores. */
export const findPicture = (q: Sql, path: string, variant: Variant) =>
  maybeOne(q<{ userId: number; bytes: Buffer }[]>`
    select user_id as "userId", ${q(variant)} as bytes from publishing.pictures where path = ${path}`)

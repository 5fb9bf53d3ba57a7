import type { Sql } from '#platform/db/database.ts'
import { escapeLike } from '#platform/db/rows.ts'
import { Type } from '#platform/type/type.ts'

export { Day } from '#platform/http/schema.ts'

/** The query of a paged list. */
export const paging = (defaultLimit = 50) => ({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, default: defaultLimit }),
})

export type Page = { page: number; limit: number; offset: number }

/** Most lists have pages of at most 1,000 rows; those with long rows, 200. */
export const longPage = 1000

/** A larger `limit` than `max` is capped. */
export const pageOf = ({ page, limit }: { page: number; limit: number }, max = 200): Page => {
  const capped = Math.min(limit, max)
  return { page, limit: capped, offset: (page - 1) * capped }
}

/** What a paged response says beside its array, as a schema and as values. */
export const pageFields = { total: Type.Integer(), page: Type.Integer(), limit: Type.Integer() }
export const pageInfo = ({ page, limit }: Page, total: number) => ({ total, page, limit })

/**
 * What a search means as part of a number such as `ORD-000012`: some of its digits, from their beginning if the dash is
 * there. Null if no number can contain it.
 */
export const partOfNumber = (search: string, prefix: string) => {
  const [, letters = '', dash = '', digits = ''] = /^([A-Z]*)(-?)(\d*)$/.exec(search.toUpperCase()) ?? []
  if (letters + dash + digits === '') return null
  const fits = dash ? prefix.endsWith(letters) : digits ? letters === '' : prefix.includes(letters)
  return fits ? { digits, atStart: dash !== '' } : null
}

/** Numbers are looked up one by one if at most this many of their digits are not given; otherwise all rows are read. */
const mostDigitsOpen = 3
export const areFewNumbers = ({ digits }: { digits: string }) => digits.length >= 6 - mostDigitsOpen

/** Whether the number of `o` has these digits. Only digits that begin with a zero can be among those that pad it. */
export const hasDigits = (q: Sql, { digits, atStart }: { digits: string; atStart: boolean }) => {
  if (atStart) return q`starts_with(inventory.padded(o.number), ${digits})`
  const written = digits.startsWith('0') ? q`inventory.padded(o.number)` : q`o.number::text`
  return q`strpos(${written}, ${digits}) > 0`
}

/** A LIKE pattern that finds `text` anywhere. */
export const anywhere = (text: string) => `%${escapeLike(text)}%`

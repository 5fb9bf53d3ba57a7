import { Type } from 'typebox'
import { Pattern } from '#platform/http/schema.ts'

/** The query of a paged list. A larger `limit` than `max` is capped. */
export const paging = (defaultLimit = 50) => ({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, default: defaultLimit }),
})

export type Page = { page: number; limit: number; offset: number }

export const pageOf = ({ page, limit }: { page: number; limit: number }, max = 200): Page => {
  const capped = Math.min(limit, max)
  return { page, limit: capped, offset: (page - 1) * capped }
}

/** A day of our calendar; the database knows no year 0. */
export const Day = Type.String({
  format: 'date',
  ...Pattern('^(?!0000)', 'must be a valid date'),
  examples: ['2026-01-31'],
})

/** The parts of a paged answer beside its named array. */
export const paged = { total: Type.Integer(), page: Type.Integer(), limit: Type.Integer() }

/** A LIKE pattern that finds `text` anywhere, with `%` and `_` as ordinary characters. */
export const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

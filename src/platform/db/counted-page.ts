import type { Fragment, Sql } from './database.ts'
import { one } from './rows.ts'

/** A list whose length is kept in a counter. */
export type CountedList = {
  /** A query for the counter. */
  total: Fragment
  /** What stands between `from` and `order by`; an index has all of it in the order of `key`. */
  entries: Fragment
  key: string
  order: 'asc' | 'desc'
  /** The column that is returned. */
  column: string
}

export type Page = { limit: number; offset: number }
export type CountedPage = { ids: number[]; total: number }

/** Up to this offset, one direction is quick enough and the statement stays simple. */
const shallow = 1_000

const reversed = { asc: 'desc', desc: 'asc' } as const

/**
 * A page of a counted list and the length of the list, from one snapshot. The list is read from the nearer end, so the
 * last page costs as little as the first one. Page N still costs as many index entries as stand between it and that end:
 * in a list of a million, some 20 ms for the 100,000th entry and 100 ms for the one in the middle.
 */
export const readCountedPage = (q: Sql, list: CountedList, page: Page): Promise<CountedPage> =>
  one(page.offset <= shallow ? fromFirst(q, list, page) : fromNearerEnd(q, list, page))

const directions = (q: Sql) => ({ asc: q`asc`, desc: q`desc` })

const fromFirst = (q: Sql, { total, entries, key, order, column }: CountedList, { limit, offset }: Page) => q<
  CountedPage[]
>`
  select coalesce((${total}), 0) as total, array(
    select ${q(column)} from ${entries} order by ${q(key)} ${directions(q)[order]} limit ${limit} offset ${offset}) as ids`

const fromNearerEnd = (q: Sql, list: CountedList, { limit, offset }: Page) => {
  const { total, entries, key, order, column } = list
  const [forward, backward] = [directions(q)[order], directions(q)[reversed[order]]]
  return q<CountedPage[]>`
    with counted as materialized (select coalesce((${total}), 0) as total)
    select total, case when ${offset}::bigint * 2 <= total
      then array(select ${q(column)} from ${entries} order by ${q(key)} ${forward} limit ${limit} offset ${offset})
      else array(
        select shown from (
          select ${q(column)} as shown, ${q(key)} as key from ${entries} order by ${q(key)} ${backward}
          limit (select greatest(0, least(${limit}::bigint, total - ${offset}::bigint)) from counted)
          offset (select greatest(0, total - ${offset}::bigint - ${limit}::bigint) from counted)
        ) last order by key ${forward})
      end as ids
    from counted`
}

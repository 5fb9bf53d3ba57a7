import type { Fragment, Sql } from '#platform/db/database.ts'
import { one } from '#platform/db/rows.ts'
import type { StoredEvent } from './events.ts'

export const hasUnnumbered = async (q: Sql, service: string) =>
  (await q`select 1 from platform.events where service = ${service} and id is null limit 1`).length > 0

/** Gives ids to new events, up to `limit`, and returns them; see `platform.number_events`. */
export const numberEvents = async (q: Sql, service: string, limit: number) =>
  (await one(q<{ ids: string[] }[]>`select platform.number_events(${service}, ${limit}) as ids`)).ids

export const findLastId = async (q: Sql, service: string) =>
  (await one(q<{ last: string }[]>`select platform.last_event_id(${service}) as last`)).last

const columns = (q: Sql) => q`e.id, e.owner, e.type, e.subject, e.created_at, e.data::text as data`

export type Selection = {
  service: string
  /** The condition on `e` that makes events readable, unless they are those of one owner. */
  readable: Fragment | null
  owner: string
  /** All types, if null. */
  types: readonly string[] | null
  subject: string | null
  after: string | null
  limit: number
}

const condition = (q: Sql, { service, readable, owner }: Selection) => q`
  e.service = ${service} and ${readable ?? q`e.owner = ${owner}`}`

/** The events of several types come from the index of each type, because in the index of the owner they may be far apart. */
const matching = (q: Sql, selection: Selection) => {
  const { types, subject, after, limit, readable } = selection
  const rest = q`
    e.id is not null ${after === null ? q`` : q`and e.id > ${after}::uuid`}
    ${subject === null ? q`` : q`and e.subject = ${subject}`}`
  if (types !== null && subject === null && readable === null)
    return q`
      select e.* from unnest(${types as string[]}::text[]) t (type) cross join lateral (
        select * from platform.events e where ${condition(q, selection)} and e.type = t.type and ${rest}
        order by e.id limit ${limit}) e
      order by e.id limit ${limit}`
  return q`
    select * from platform.events e
    where ${condition(q, selection)} and ${rest} ${types === null ? q`` : q`and e.type = any(${types as string[]}::text[])`}
    order by e.id limit ${limit}`
}

type Page = { events: StoredEvent[]; last: string; removed: string | null }

/**
 * The next events of a selection, the last id that the service has given out, and up to which id events of the selection
 * after the given one have been removed. One statement, so that all three are of one moment.
 */
export const readEvents = async (q: Sql, selection: Selection): Promise<Page> => {
  const { types, after, service } = selection
  const rows = await q<(StoredEvent & { last: string; removed: string | null })[]>`
    select s.last, s.removed, ${columns(q)}
    from (select platform.last_event_id(${service}) as last, ${
      after === null
        ? q`null::uuid`
        : q`(select e.removed_id from platform.event_horizons e
            where ${condition(q, selection)} and e.removed_id > ${after}::uuid
              ${types === null ? q`` : q`and e.type = any(${types as string[]}::text[])`}
            order by e.removed_id desc limit 1)`
    } as removed) s
    left join (${matching(q, selection)}) e on true
    order by e.id`
  const [first] = rows
  return {
    last: first?.last as string,
    removed: first?.removed ?? null,
    events: rows.filter(({ id }) => id !== null).map(({ last: _, removed: __, ...event }) => event),
  }
}

/** All events of the service after an id, for those who hand them out. */
export const eventsAfter = (q: Sql, service: string, after: string, limit: number) => q<StoredEvent[]>`
  select ${columns(q)} from platform.events e
  where e.service = ${service} and e.id > ${after}::uuid order by e.id limit ${limit}`

/**
 * Removes events from before a moment, at most `limit`, and keeps for each owner and type up to which id. Returns how many.
 * Holds the clock of the service: events that never got an id are removed as if they had just got one.
 */
export const removeOld = async (q: Sql, service: string, before: Date, limit: number) =>
  (
    await one(q<{ removed: number }[]>`
      select platform.remove_events(${service}, ${before}, ${limit}) as removed`)
  ).removed

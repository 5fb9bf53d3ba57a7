import type { Sql } from '#platform/db/database.ts'
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
  /** Everybody, if null. */
  owners: readonly string[] | null
  /** All types, if null. */
  types: readonly string[] | null
  subject: string | null
  after: string | null
  limit: number
}

const ofTypes = (q: Sql, { types }: Selection) =>
  types === null ? q`` : q`and e.type = any(${types as string[]}::text[])`

const ofOwners = (q: Sql, { owners }: Selection) =>
  owners === null ? q`` : q`and e.owner = any(${owners as string[]}::text[])`

/** A reader with more owners than this reads all events of the service in order, and leaves out those of others. */
const maxLookups = 5_000

/**
 * The ids of the next events. Each owner has its events in an index, so it is one lookup for each of them and then at most
 * `limit` entries of the index. The events of several types come from the index of each type, because in that of the owner
 * they may be far apart.
 */
const matchingIds = (q: Sql, selection: Selection) => {
  const { service, owners, types, subject, after, limit } = selection
  const rest = q`
    e.service = ${service} and e.id is not null ${after === null ? q`` : q`and e.id > ${after}::uuid`}
    ${subject === null ? q`` : q`and e.subject = ${subject}`}`
  const perType = types !== null && subject === null
  if (owners === null || owners.length * (perType ? types.length : 1) > maxLookups)
    return q`
      select e.id from platform.events e where ${rest} ${ofOwners(q, selection)} ${ofTypes(q, selection)}
      order by e.id limit ${limit}`
  return q`
    select e.id from unnest(${owners as string[]}::text[]) o (owner)
      ${perType ? q`cross join unnest(${types as string[]}::text[]) t (type)` : q``}
      cross join lateral (
        select e.id from platform.events e
        where e.owner = o.owner ${perType ? q`and e.type = t.type` : ofTypes(q, selection)} and ${rest}
        order by e.id limit ${limit}) e
    order by e.id limit ${limit}`
}

type Page = { events: StoredEvent[]; last: string; removed: string | null }

/**
 * The next events of a selection, the last id that the service has given out, and up to which id events of the selection
 * after the given one have been removed. One statement, so that all three are of one moment.
 */
export const readEvents = async (q: Sql, selection: Selection): Promise<Page> => {
  const { after, service } = selection
  const rows = await q<(StoredEvent & { last: string; removed: string | null })[]>`
    select s.last, s.removed, ${columns(q)}
    from (select platform.last_event_id(${service}) as last, ${
      after === null
        ? q`null::uuid`
        : q`(select e.removed_id from platform.event_horizons e
            where e.service = ${service} and e.removed_id > ${after}::uuid
              ${ofOwners(q, selection)} ${ofTypes(q, selection)}
            order by e.removed_id desc limit 1)`
    } as removed) s
    left join (${matchingIds(q, selection)}) found on true
    left join platform.events e on e.service = ${service} and e.id = found.id
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

import type { Fragment, Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'
import type { StoredEvent } from './events.ts'

export const hasUnnumbered = async (q: Sql, service: string) =>
  (await q`select 1 from platform.events where service = ${service} and id is null limit 1`).length > 0

/** Gives ids to new events, up to `limit`, and returns them; see `platform.number_events`. */
export const numberEvents = (q: Sql, service: string, limit: number) =>
  value<string[]>(q`select platform.number_events(${service}, ${limit}) as ids`)

export const findLastId = (q: Sql, service: string) =>
  value<string>(q`select platform.last_event_id(${service}) as last`)

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

type Page = { events: StoredEvent[]; last: string; hasRemoved: boolean }

/**
 * The next events of a selection, the last id that the service has given out, and whether events of the selection after the
 * given one have been removed. One statement, so that all three are of one moment.
 */
export const readEvents = async (q: Sql, selection: Selection): Promise<Page> => {
  const { after, service } = selection
  const rows = await q<(StoredEvent & { last: string; has_removed: boolean })[]>`
    select s.last, s.has_removed, ${columns(q)}
    from (select platform.last_event_id(${service}) as last, ${
      after === null
        ? q`false`
        : q`exists (select from platform.event_horizons e
            where e.service = ${service} and e.removed_id > ${after}::uuid
              ${ofOwners(q, selection)} ${ofTypes(q, selection)})`
    } as has_removed) s
    left join (${matchingIds(q, selection)}) found on true
    left join platform.events e on e.service = ${service} and e.id = found.id
    order by e.id`
  const [first] = rows
  return {
    last: first?.last as string,
    hasRemoved: first?.has_removed ?? false,
    events: rows.filter(({ id }) => id !== null).map(({ last: _, has_removed: __, ...event }) => event),
  }
}

/** All events of the service after an id, for those who hand them out. */
export const eventsAfter = (q: Sql, service: string, after: string, limit: number) => q<StoredEvent[]>`
  select ${columns(q)} from platform.events e
  where e.service = ${service} and e.id > ${after}::uuid order by e.id limit ${limit}`

/** What was removed of a selection after an id, the latest first. */
export const removedParts = (q: Sql, selection: Selection & { after: string }) => q<
  { type: string; part: string; removed: string }[]
>`
  select e.type, e.part, e.removed_id as removed from platform.event_horizons e
  where e.service = ${selection.service} and e.removed_id > ${selection.after}::uuid
    ${ofOwners(q, selection)} ${ofTypes(q, selection)}
  order by e.removed_id desc`

/** The first id of a millisecond. */
const firstIdOf = (q: Sql, time: Date) => q`
  platform.event_id(${time.getTime()}::bigint * 4096, '8000000000000000')`

export const hasOld = (q: Sql, service: string, before: Date) =>
  value<boolean>(q`
      select exists (select from platform.events where service = ${service} and id < ${firstIdOf(q, before)})
        or coalesce((select created_at < ${before} from platform.events where service = ${service} and id is null
          order by seq limit 1), false) as found`)

/** Advances the clock of a service, and holds it: nobody gives out ids until the transaction ends. */
export const nextTick = (q: Sql, service: string) =>
  value<number>(q`
      insert into platform.event_clocks as c (service, tick) values (${service}, 1)
      on conflict (service) do update set tick = c.tick + 1 returning tick`)

type Removal = { before: Date; tick: number; limit: number; part: Fragment }

/**
 * Removes events from before a moment, up to `limit` with an id and as many without, and keeps for each owner, type and part
 * up to which id. Those without an id were never read: they count as if they had got that of `tick`, so that whoever reads
 * on from an earlier id is told. Returns how many.
 */
export const removeOld = (q: Sql, service: string, { before, tick, limit, part }: Removal) =>
  value<number>(q`
      with old as (
        (select ctid from platform.events where service = ${service} and id < ${firstIdOf(q, before)}
          order by id limit ${limit})
        union all
        select ctid from (select ctid, created_at from platform.events where service = ${service} and id is null
          order by seq limit ${limit}) e
        where created_at < ${before}
      ), removed as (
        delete from platform.events e using old where e.ctid = old.ctid
        returning e.owner, e.type, ${part} as part,
          coalesce(e.id, platform.event_id(${tick}::bigint, 'bfffffffffffffff')) as id
      ), noted as (
        insert into platform.event_horizons as h (service, owner, type, part, removed_id)
        select distinct on (owner, type, part) ${service}, owner, type, part, id from removed
        order by owner, type, part, id desc
        on conflict (service, owner, type, part) do update set removed_id = greatest(h.removed_id, excluded.removed_id)
      )
      select count(*) as removed from removed`)

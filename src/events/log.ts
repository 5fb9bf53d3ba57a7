import type { Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { singleFlight } from '#platform/single-flight.ts'
import type { Events, Reader, StoredEvent } from './events.ts'
import { toWire } from './ids.ts'
import * as store from './store.ts'
import { lockQueue, ofSameOwner, queueEvents } from './webhooks/store.ts'

const numberedAtOnce = 500

export type Query = {
  after: string | null
  /** The types that are asked for; all that the reader may read, if null. */
  types: readonly string[] | null
  subject: string | null
  limit: number
}

const gone = (removed: string) =>
  new AppError(410, `Events after this id have been removed: go on after ${toWire(removed)}`, {
    code: 'events_removed',
    facts: { after: toWire(removed) },
  })

/** What a reader may read of what they ask for. */
const allowed = (asked: readonly string[] | null, { types }: Reader) =>
  asked && types ? asked.filter((type) => types.includes(type)) : (asked ?? types ?? null)

/**
 * The events of one service on this node: in order, without gaps, and as their readers may see them. `patienceMs` is how
 * long a reader waits while events get their ids.
 */
export const createEventLog = <Context extends Platform, Who extends Reader>(
  service: string,
  ctx: Context,
  events: Events<Context, Who>,
  { patienceMs = 2_000 }: { patienceMs?: number } = {},
) => {
  const { db, clock } = ctx

  const numberSome = async (tx: Tx) => {
    const ids = await store.numberEvents(tx, service, numberedAtOnce)
    if (ids.length === 0) return 0
    const receives = events.receives?.(tx) ?? ofSameOwner(tx)
    await lockQueue(tx, service)
    await queueEvents(tx, service, ids, receives, clock.now())
    return ids.length
  }

  let isCatchingUp = false
  /** In the background. After a failure, whoever reads next continues. */
  const catchUp = () => {
    const numberAll = async () => {
      while ((await db.transaction(numberSome)) === numberedAtOnce);
    }
    const end = () => {
      isCatchingUp = false
    }
    isCatchingUp = true
    numberAll().then(end, end)
  }

  /**
   * Every event that was committed before the call has an id when it returns, unless nobody has read for very long: then
   * those that are left get theirs while everybody reads on.
   */
  const number = singleFlight(async () => {
    if (isCatchingUp || !(await store.hasUnnumbered(db.sql, service))) return
    const patient = performance.now() + patienceMs
    while ((await db.transaction(numberSome)) === numberedAtOnce)
      if (performance.now() >= patient) return catchUp()
  })

  /** The event as this reader gets it, as JSON; nothing if they may not see it now. */
  const present = async (reader: Who, event: StoredEvent): Promise<string | undefined> => {
    if (reader.types && !reader.types.includes(event.type)) return undefined
    if (!events.present) return wire(event, event.data)
    const data = await events.present(ctx, reader, event)
    return data && wire(event, JSON.stringify(data))
  }

  /** Up to which id events have been removed that a reader could have read. */
  const removedFor = async (reader: Who, selection: store.Selection & { after: string }) => {
    for (const { type, part, removed } of await store.removedParts(db.sql, selection))
      if (!events.parts || (await events.parts.mayRead(ctx, reader, type, part))) return removed
    return null
  }

  return {
    number,
    /** Whether events of long ago are still getting their ids. */
    isCatchingUp: () => isCatchingUp,
    present,
    lastId: () => store.findLastId(db.sql, service),
    after: (id: string, limit: number) => store.eventsAfter(db.sql, service, id, limit),

    /** `next` is where to go on, also if there is nothing yet. */
    async read(reader: Who, { after, types: asked, subject, limit }: Query) {
      await number()
      const owners = events.owners ? await events.owners(ctx, reader) : [reader.owner]
      const selection = { service, owners, types: allowed(asked, reader), subject, after, limit }
      const { events: found, last, hasRemoved } = await store.readEvents(db.sql, selection)
      const removed = hasRemoved && after !== null ? await removedFor(reader, { ...selection, after }) : null
      if (removed !== null) throw gone(removed)
      const shown = await Promise.all(found.map((event) => present(reader, event)))
      const next = found.length === limit ? (found.at(-1)?.id as string) : later(last, after)
      return { events: found, shown, next }
    },
  }
}

/** A reader may come with an id that was given out before the database was restored from a backup. */
const later = (one: string, other: string | null) => (other !== null && other > one ? other : one)

const wire = ({ id, type, created_at, subject }: StoredEvent, data: string) =>
  `{"id":"${toWire(id)}","type":${JSON.stringify(type)},"created_at":"${created_at}","subject":${JSON.stringify(subject)},"data":${oneLine(data)}}`

/** In JSON a line break is white space: within a text it is escaped. */
const oneLine = (json: string) => (/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json)

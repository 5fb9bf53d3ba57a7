import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events, Reader, StoredEvent } from './events.ts'
import type { createEventLog, Query } from './log.ts'
import type { Listener } from './pump.ts'
import { frameOf, openStream, type Stream, type StreamOptions, type StreamStart } from './stream.ts'

const maxStreams = 5_000
const maxOfAccount = 50
/** Of strangers. People who have signed in may share an address with their whole company. */
const maxOfAddress = 20
/** How long a client may take to receive that its stream has ended. */
const endingMs = 5_000
const commentEveryMs = 15_000
const identifyEveryMs = 900
const handedOutAtOnce = 500
const caughtUpAtOnce = 100
/** Longer than between writing an event and its commit. */
const newForMs = 10 * 60_000

type Start = Pick<Query, 'after' | 'types' | 'subject'>

/**
 * The open streams of a service on this node. New events are read once and handed to every stream that may have them. A
 * stream that continues from an earlier event reads by itself until it has caught up.
 */
export const createStreams = <Context extends Platform, Who extends Reader>(
  ctx: Context,
  events: Events<Context, Who>,
  log: ReturnType<typeof createEventLog<Context, Who>>,
  { max = maxStreams } = {},
) => {
  const open = new Set<Stream<Who>>()
  const byOwner = createCrowd<Stream<Who>>()
  const byAddress = createCrowd<Stream<Who>>()
  /** By account, and strangers by address. */
  const byHolder = createCrowd<Stream<Who>>()
  /** The last event that was handed out. */
  let cursor = ''
  let isClosing = false

  const add = (stream: Stream<Who>) => {
    const { address, reader } = stream
    const { owner, account } = reader
    const holder = account === undefined ? `address ${address}` : `account ${account}`
    open.add(stream)
    byOwner.add(owner, stream)
    byAddress.add(address, stream)
    byHolder.add(holder, stream)
    stream.onClose(() => {
      open.delete(stream)
      byOwner.remove(owner, stream)
      byAddress.remove(address, stream)
      byHolder.remove(holder, stream)
    })
    // Who opens too many loses the first of them, so that nobody can keep others out by holding on to what they have.
    if (byHolder.of(holder).size > (account === undefined ? maxOfAddress : maxOfAccount))
      byHolder.oldestOf(holder)?.close(endingMs)
    else if (open.size > max) byAddress.oldestOfGreediest()?.close(endingMs)
  }

  /** Who may get an event, and does not have it yet. */
  const candidates = (event: StoredEvent) => [...(events.mayRead ? open : byOwner.of(event.owner))]

  const handOut = async (event: StoredEvent) => {
    let frame: Buffer | undefined
    for (const stream of candidates(event)) {
      if (!stream.isLive || event.id <= stream.position || !stream.wants(event)) continue
      if (!maySee(stream.reader, event)) continue
      if (events.mayRead && !(await events.mayRead(ctx, stream.reader, event))) continue
      // Where all readers see the same, it is written once.
      if (!frame || events.present) {
        const json = await log.present(stream.reader, event)
        frame = json === undefined ? undefined : frameOf(event, json)
      }
      if (frame && !stream.send(frame)) catchUpOrEnd(stream)
      else stream.position = event.id
    }
  }

  const run = async () => {
    for (;;) {
      const found = await log.after(cursor, handedOutAtOnce)
      for (const event of found) {
        await handOut(event)
        cursor = event.id
      }
      if (found.length < handedOutAtOnce) return
    }
  }

  /** Sends what a reader has missed, as fast as they read it, until they can be handed what is new. */
  const catchUp = async (stream: Stream<Who>) => {
    const { types, subject } = stream.filter
    stream.isLive = false
    while (stream.isOpen) {
      await stream.drained()
      const after = stream.position
      const {
        events: found,
        shown,
        next,
      } = await log.read(stream.reader, {
        after,
        types,
        subject,
        limit: caughtUpAtOnce,
      })
      for (const [n, event] of found.entries()) {
        const json = shown[n]
        if (json !== undefined && stream.wants(event)) stream.send(frameOf(event, json))
        await stream.drained()
      }
      stream.position = next
      if (found.length < caughtUpAtOnce && stream.position >= cursor) break
    }
    stream.isLive = true
  }
  const catchUpOrEnd = (stream: Stream<Who>) => {
    catchUp(stream).catch((err) => {
      if (!(err instanceof AppError)) ctx.log.warn({ err }, 'a stream of events was ended')
      stream.end()
    })
  }

  const commenting = setInterval(() => {
    for (const stream of open) stream.send(':\n\n')
  }, commentEveryMs).unref()

  /** Ends streams whose readers may not read any more. */
  const identify = async (stream: Stream<Who>) => {
    try {
      stream.reader = await stream.identify()
    } catch (error) {
      // While the database is away nobody can be asked, and nothing is sent.
      if (!(error instanceof AppError) || error.status < 500) stream.end()
    }
  }
  const identifying = setInterval(() => {
    for (const stream of open) void identify(stream)
  }, identifyEveryMs).unref()

  return {
    isListening: () => open.size > 0,
    run,
    get size() {
      return open.size
    },
    /**
     * Refuses an `after` that is too old before anything is sent. If events of long ago are still
     * getting their ids, which are later than any before, a stream that begins now leaves them out.
     */
    async prepare(reader: Who, { after, types, subject }: Start): Promise<StreamStart> {
      await log.number()
      const last = await log.lastId()
      if (open.size === 0) cursor = last
      if (after !== null) {
        await log.read(reader, { after, types, subject, limit: 1 })
        return { position: after, since: null }
      }
      const since = log.isCatchingUp() ? new Date(ctx.clock.now().getTime() - newForMs) : null
      return { position: last, since }
    },
    begin(options: StreamOptions<Who>) {
      const stream = openStream(options)
      if (isClosing) return stream.end()
      add(stream)
      catchUpOrEnd(stream)
    },
    /** Clients connect again, to another node or after the restart. */
    close() {
      isClosing = true
      clearInterval(commenting)
      clearInterval(identifying)
      for (const stream of open) stream.end()
    },
  } satisfies Listener & Record<string, unknown>
}
export type Streams<Context extends Platform, Who extends Reader> = ReturnType<
  typeof createStreams<Context, Who>
>

const maySee = ({ types }: Reader, { type }: StoredEvent) => !types || types.includes(type)

/** Things that somebody holds, oldest first, counted by who holds them. */
const createCrowd = <Thing>() => {
  const groups = new Map<string, Set<Thing>>()
  const oldestOf = (group: Set<Thing> | undefined) => group?.values().next().value
  return {
    add(holder: string, thing: Thing) {
      groups.getOrInsertComputed(holder, () => new Set()).add(thing)
    },
    remove(holder: string, thing: Thing) {
      const group = groups.get(holder)
      group?.delete(thing)
      if (group?.size === 0) groups.delete(holder)
    },
    of: (holder: string): ReadonlySet<Thing> => groups.get(holder) ?? new Set(),
    oldestOf: (holder: string) => oldestOf(groups.get(holder)),
    /** The oldest of whoever holds the most. */
    oldestOfGreediest() {
      let most: Set<Thing> | undefined
      for (const group of groups.values()) if (group.size > (most?.size ?? 0)) most = group
      return oldestOf(most)
    },
  }
}

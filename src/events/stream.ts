import type { ServerResponse } from 'node:http'
import type { Reader, StoredEvent } from './events.ts'
import { toWire } from './ids.ts'
import type { Query } from './log.ts'

/**
 * A reader for whom more than this waits must take it within `patienceMs`, or is ended: they continue from the last id that
 * they have received. So a burst of events ends only those who are slow.
 */
const maxBacklogBytes = 1024 * 1024
const patienceMs = 1_000
/** The same for whoever has less to take, or catches up. */
const longPatienceMs = 30_000

/** How long a client waits before it connects again. */
const retryMs = 2_000

/** One event in the format of Server-Sent Events. */
export const frameOf = ({ id, type }: StoredEvent, json: string) =>
  Buffer.from(`id: ${toWire(id)}\nevent: ${type}\ndata: ${json}\n\n`)

export type StreamOptions<Who extends Reader> = {
  res: ServerResponse
  headers: Record<string, number | string | string[] | undefined>
  reader: Who
  /** Of the client. */
  address: string
  filter: Pick<Query, 'types' | 'subject'>
  /** Who the reader is by now; throws when they may not read any more. */
  identify: () => Promise<Who>
  start: StreamStart
}

/** Where a stream begins. */
export type StreamStart = {
  /** After this event. */
  position: string
  /** And with none that was written before this time, whatever its id. */
  since: Date | null
}

/** The response to one reader, which stays open. */
export const openStream = <Who extends Reader>({
  res,
  headers,
  reader,
  address,
  filter,
  identify,
  start: { position, since },
}: StreamOptions<Who>) => {
  res.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // nginx would collect what is sent.
    'x-accel-buffering': 'no',
  })
  // A reader learns at once that it is connected.
  res.write(`retry: ${retryMs}\n\n`)
  const closing: (() => void)[] = []
  const onClose = (listener: () => void) => void closing.push(listener)
  let isClosed = false
  const closed = () => {
    if (isClosed) return
    isClosed = true
    for (const listener of closing) listener()
  }
  res.once('close', closed)
  const stream = {
    reader,
    address,
    /** Up to which event it has got everything that it is to get. Nothing is handed to it before it `isLive`. */
    position,
    isLive: false,
    get isOpen() {
      return !res.writableEnded && !res.destroyed
    },
    identify,
    filter,
    wants: ({ type, subject, created_at }: StoredEvent) =>
      (filter.types === null || filter.types.includes(type)) &&
      (filter.subject === null || filter.subject === subject) &&
      (since === null || Date.parse(created_at) >= since.getTime()),
    /** Returns whether it was sent: not, if too much waits already. */
    send(frame: Buffer | string) {
      if (!stream.isOpen || res.writableLength > maxBacklogBytes) return false
      res.write(frame)
      return true
    },
    /** Resolves when the reader has received what was sent so far, or has left. */
    async drained() {
      if (!stream.isOpen || !res.writableNeedDrain) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const isTooMuch = res.writableLength > maxBacklogBytes
      const patience = setTimeout(() => res.destroy(), isTooMuch ? patienceMs : longPatienceMs)
      res.once('drain', resolve)
      res.once('close', resolve)
      await promise
      clearTimeout(patience)
      res.off('drain', resolve)
      res.off('close', resolve)
    },
    end() {
      if (stream.isOpen) res.end(`retry: ${retryMs}\n\n`)
    },
    /** Ends it, counts it as closed at once, and does not wait long for a client that does not read. */
    close(ms: number) {
      stream.end()
      closed()
      const patience = setTimeout(() => res.destroy(), ms)
      res.once('close', () => clearTimeout(patience))
    },
    onClose,
  }
  return stream
}
export type Stream<Who extends Reader> = ReturnType<typeof openStream<Who>>

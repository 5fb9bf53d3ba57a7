import { TrivetError } from './errors.ts'
import type { Send } from './send.ts'
import { readStream } from './sse.ts'
import { backoff, wait } from './wait.ts'

/** Something that happened. `data` is the resource as its own request returned it at that moment. */
export type TrivetEvent<Data = Record<string, unknown>> = {
  id: string
  type: string
  created_at: string
  subject: string
  data: Data
}

export type EventsOptions = {
  /** The id of the last event that is known; without it, only what is new. */
  after?: string
  /** Such as `order.*` or `stock.low`; all if not given. */
  types?: string[]
  /** Only of one subject, such as `order/42`. */
  subject?: string
  /** Ends the stream. */
  signal?: AbortSignal
  /** Called each time the stream is connected. */
  onOpen?: () => void
  /** Further parameters of the query, such as `scope`. */
  query?: Record<string, string>
}

const pauseMs = { first: 250, most: 5_000 }

/** A refusal stays the same however often one asks; anything else may pass. */
const isFinal = (error: unknown) =>
  error instanceof TrivetError && error.status >= 400 && error.status < 500 && error.status !== 429

/**
 * Reads events as they happen. When the connection is lost, it goes on after the last event, without a gap or a repetition.
 * Throws if the server refuses: 410 means that events after `after` have been removed.
 */
export async function* readEvents(
  send: Send,
  address: string,
  { after, types, subject, signal, onOpen, query }: EventsOptions,
): AsyncGenerator<TrivetEvent, void> {
  const url = new URL(address)
  if (types) url.searchParams.set('types', types.join(','))
  if (subject) url.searchParams.set('subject', subject)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)

  let last = after
  let pause: number | null = null
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      const headers = { accept: 'text/event-stream', ...(last ? { 'last-event-id': last } : {}) }
      const response = await send(() => new Request(url, { headers, signal: signal ?? null }), { retries: 0 })
      onOpen?.()
      for await (const message of readStream(response)) {
        failures = 0
        if (message.retry !== null) pause = message.retry
        if (message.id) last = message.id
        if (message.data) yield JSON.parse(message.data)
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isFinal(error)) throw error
    }
    const ms = pause ?? backoff(failures, pauseMs)
    pause = null
    await wait(ms, signal).catch(() => {})
  }
}

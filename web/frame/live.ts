import { useEffect, useRef } from 'preact/hooks'
import { TrivetError, type TrivetEvent } from '#sdk/index.ts'
import type { Console } from './console.ts'
import { paced } from './paced.ts'
import { queries } from './queries.ts'

type Listener = { types: readonly string[]; onEvent: (event: TrivetEvent) => unknown }

const listeners = new Set<Listener>()

/** `object.*` stands for all types that begin with it. */
const matches = (types: readonly string[], type: string) =>
  types.some(
    (one) => one === '*' || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))),
  )

const tell = (event: TrivetEvent) => {
  for (const { types, onEvent } of listeners) if (matches(types, event.type)) void onEvent(event)
}

/** Events may have been missed: everything that is shown is read again. */
const readAgain = () => void queries.invalidateQueries()

/** Reads again what the console shows, as its `live` says. Returns a function that ends it. */
const listen = ({ live }: Console) => {
  const added = Object.entries(live).map(([key, types]) => {
    const { ask, stop } = paced(() => void queries.invalidateQueries({ queryKey: [key] }))
    const listener: Listener = { types, onEvent: ask }
    listeners.add(listener)
    return { listener, stop }
  })
  return () => {
    for (const { listener, stop } of added) {
      listeners.delete(listener)
      stop()
    }
  }
}

/** Calls back for every event of these types while the component is shown. */
export const useLive = (types: readonly string[], onEvent: (event: TrivetEvent) => unknown) => {
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    const listener: Listener = { types, onEvent: (event) => latest.current(event) }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [types.join()])
}

const read = async ({ events }: Console, signal: AbortSignal, share: (message: Shared) => void) => {
  // What was read before a stream was open may have changed since.
  const onOpen = () => share({ again: true })
  while (!signal.aborted)
    try {
      for await (const event of events({ signal, onOpen })) share({ event })
    } catch (error) {
      // 410: the events after the last one have been removed. Anything else that is final ends with the session.
      if (!(error instanceof TrivetError) || error.status !== 410) return
      share({ again: true })
    }
}

type Shared = { event: TrivetEvent } | { again: true }

/** Events come by the hundred while files are uploaded: other tabs are told of them together. */
const shareEveryMs = 100

/**
 * Reads the events of the service. A browser has only a few connections to a server, so that of all tabs one reads and
 * tells the others; when it is closed, another one takes over. Returns a function that ends it.
 */
export const startLive = (console: Console) => {
  const ending = new AbortController()
  const { signal } = ending
  signal.addEventListener('abort', listen(console))
  const take = (message: Shared) => ('event' in message ? tell(message.event) : readAgain())
  if (!('locks' in navigator)) {
    void read(console, signal, take)
    return () => ending.abort()
  }
  const name = `trivet-${console.service}-events`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: { data: Shared[] }) => data.forEach(take)
  let untold: Shared[] = []
  const tellOthers = () => {
    if (!signal.aborted) channel.postMessage(untold)
    untold = []
  }
  const share = (message: Shared) => {
    take(message)
    if (untold.push(message) === 1) setTimeout(tellOthers, shareEveryMs)
  }
  navigator.locks.request(name, { signal }, () => read(console, signal, share)).catch(() => {})
  return () => {
    ending.abort()
    channel.close()
  }
}

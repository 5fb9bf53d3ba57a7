import { signal } from '@preact/signals'

/** Whether the server answered the last request. */
export const isReachable = signal(true)

const pauseMs = 1_500
const returned = new Set<() => void>()

/** Calls back each time the connection has come back. */
export const onReturn = (callback: () => void) => {
  returned.add(callback)
  return () => void returned.delete(callback)
}

let waiting = false

const tryUntilReached = async () => {
  for (;;) {
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(), pauseMs)
    addEventListener('online', () => ended.abort(), { once: true, signal: ended.signal })
    await new Promise((resolve) => ended.signal.addEventListener('abort', resolve, { once: true }))
    clearTimeout(timer)
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(5_000) }).catch(
      () => null,
    )
    if (response) return
  }
}

/** Some request had no response: says so, and tries until there is one again. */
export const connectionLost = async () => {
  isReachable.value = false
  if (waiting) return
  waiting = true
  await tryUntilReached()
  waiting = false
  isReachable.value = true
  for (const callback of returned) callback()
}

// The browser may know before any request has failed.
addEventListener('offline', () => void connectionLost())

/** Waits, unless the signal ends the wait with its reason. */
export const wait = (ms: number, signal?: AbortSignal | null) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const ended = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', ended)
      resolve()
    }, ms)
    signal?.addEventListener('abort', ended, { once: true })
  })

/** Doubles with each attempt up to a limit, spread so that clients do not come back all at once. */
export const backoff = (attempt: number, { first, most }: { first: number; most: number }) =>
  Math.min(most, first * 2 ** attempt) * (0.5 + Math.random() / 2)

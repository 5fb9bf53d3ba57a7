/** What pauses and ends the requests of one upload. */
export type Gate = {
  /** Waits until requests may be sent, and returns the signal that interrupts them. */
  open(): Promise<AbortSignal>
  pause(): void
  resume(): void
  end(reason: unknown): void
  /** Whether a request failed only because of a pause. */
  isPausedBy(error: unknown): boolean
}

const pausing = new DOMException('Paused', 'AbortError')

export const gate = (outer?: AbortSignal): Gate => {
  const ending = new AbortController()
  const ended = outer ? AbortSignal.any([outer, ending.signal]) : ending.signal
  let interruption = new AbortController()
  let waiting: { promise: Promise<void>; end(): void } | null = null
  ended.addEventListener('abort', () => waiting?.end(), { once: true })
  return {
    async open() {
      while (waiting && !ended.aborted) await waiting.promise
      ended.throwIfAborted()
      return AbortSignal.any([ended, interruption.signal])
    },
    pause() {
      if (waiting || ended.aborted) return
      let end = () => {}
      const promise = new Promise<void>((resolve) => {
        end = resolve
      })
      waiting = { promise, end }
      interruption.abort(pausing)
      interruption = new AbortController()
    },
    resume() {
      waiting?.end()
      waiting = null
    },
    end: (reason) => ending.abort(reason),
    isPausedBy: (error) => error === pausing && !ended.aborted,
  }
}

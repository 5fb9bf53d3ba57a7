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
  let waiting: PromiseWithResolvers<void> | null = null
  ended.addEventListener('abort', () => waiting?.resolve(), { once: true })
  return {
    async open() {
      while (waiting && !ended.aborted) await waiting.promise
      ended.throwIfAborted()
      return AbortSignal.any([ended, interruption.signal])
    },
    pause() {
      if (waiting || ended.aborted) return
      waiting = Promise.withResolvers()
      interruption.abort(pausing)
      interruption = new AbortController()
    },
    resume() {
      waiting?.resolve()
      waiting = null
    },
    end: (reason) => ending.abort(reason),
    isPausedBy: (error) => error === pausing && !ended.aborted,
  }
}

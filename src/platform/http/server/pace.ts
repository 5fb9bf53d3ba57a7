import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpLimits } from './http-limits.ts'
import { bytesReceived, bytesSent, isUnread } from './transport.ts'

/**
 * Whether a request body arrives fast enough. One that is read as a whole has to arrive within `bodyMs`. One that is
 * streamed has to keep the minimum rate over any `bodyMs`, measured in steps of half that time; `from` is the number of
 * bytes that had been received before it. Time in which received bytes wait for us does not count.
 */
export const bodyPace = ({ bodyMs, minBytesPerSecond }: HttpLimits, begun: number, from: number | null) => {
  const minBytes = (bodyMs / 1000) * minBytesPerSecond
  let since = begun
  let then = from ?? 0
  let half = then
  let halfAt = begun
  return {
    isTooSlow(req: IncomingMessage, now: number) {
      if (isUnread(req)) {
        since = halfAt = now
        then = half = bytesReceived(req)
        return false
      }
      if (from === null) return now - since > bodyMs
      const bytes = bytesReceived(req)
      if (now - since >= bodyMs) {
        if (bytes - then < minBytes) return true
        since = halfAt
        then = half
      }
      if (now - halfAt >= bodyMs / 2) {
        halfAt = now
        half = bytes
      }
      return false
    },
  }
}

export type BodyPace = ReturnType<typeof bodyPace>

/**
 * Whether a client reads its response fast enough. What it has read is known only in the chunks that we wrote, so each
 * chunk may take as long as it would at the minimum rate, and `responseMs` more.
 */
export const readerPace = (
  { responseMs, minBytesPerSecond }: HttpLimits,
  first: ServerResponse,
  begun: number,
) => {
  let since = begun
  let then = bytesSent(first)
  return {
    isTooSlow(res: ServerResponse, now: number) {
      const sent = bytesSent(res)
      if (sent > then && sent - then >= ((now - since) / 1000) * minBytesPerSecond) {
        since = now
        then = sent
      }
      return now - since > responseMs + (res.writableLength / minBytesPerSecond) * 1000
    },
  }
}
export type ReaderPace = ReturnType<typeof readerPace>

/**
 * The time in milliseconds, without that in which this process did nothing because it was stopped or starved: who was slow
 * meanwhile cannot be told. `tick` has to be called every `everyMs`; where it comes later than twice that, the rest of the
 * time does not count.
 */
export const wakingTime = (everyMs: number, clock = () => performance.now()) => {
  let lost = 0
  let ticked = clock()
  const now = () => {
    const late = clock() - ticked - 2 * everyMs
    if (late > 0) {
      lost += late
      ticked += late
    }
    return clock() - lost
  }
  return {
    now,
    tick() {
      const time = now()
      ticked = clock()
      return time
    },
  }
}

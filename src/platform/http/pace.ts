import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpLimits } from './http-limits.ts'

/**
 * Whether a body comes quickly enough. An ordinary one has a time to be whole in; one that is taken in as it comes
 * (`from` is what its connection had brought before) must keep up a rate over any such time, looked at in halves.
 * Time in which bytes wait for us, instead of we for them, is not the client's.
 */
export const bodyPace = ({ bodyMs, leastBytesPerSecond }: HttpLimits, begun: number, from: number | null) => {
  const least = (bodyMs / 1000) * leastBytesPerSecond
  let since = begun
  let then = from ?? 0
  let half = then
  let halfAt = begun
  return {
    isTooSlow(req: IncomingMessage, now: number) {
      if (req.readableLength > 0) {
        since = halfAt = now
        then = half = req.socket.bytesRead
        return false
      }
      if (from === null) return now - since > bodyMs
      const bytes = req.socket.bytesRead
      if (now - since >= bodyMs) {
        if (bytes - then < least) return true
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
 * Whether a reader takes its answer quickly enough. How much it took is known only in the pieces we wrote, so that
 * each piece has the time that it may take at the least rate, and a little more.
 */
export const readerPace = (
  { answerMs, leastBytesPerSecond }: HttpLimits,
  first: ServerResponse,
  begun: number,
) => {
  let since = begun
  let then = takenOf(first)
  return {
    isTooSlow(res: ServerResponse, now: number) {
      const taken = takenOf(res)
      if (taken > then && taken - then >= ((now - since) / 1000) * leastBytesPerSecond) {
        since = now
        then = taken
      }
      return now - since > answerMs + (res.writableLength / leastBytesPerSecond) * 1000
    },
  }
}
export type ReaderPace = ReturnType<typeof readerPace>

const takenOf = ({ socket, writableLength }: ServerResponse) =>
  socket ? socket.bytesWritten - writableLength : 0

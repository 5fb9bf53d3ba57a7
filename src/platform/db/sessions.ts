import { Unavailable, unavailable } from '#platform/errors.ts'
import type { Query, Result, Session } from './connection.ts'

type Open = () => Promise<Session>

/**
 * A few sessions that many callers share: each statement goes to the one with the least to do. A session is opened when
 * it is first needed, and again when it has been lost; `onLoss` is told of every one that was.
 */
export const sharedSessions = (open: Open, size: number, onLoss: () => void = () => {}) => {
  const slots: (Session | undefined)[] = Array.from({ length: size })
  const opening: (Promise<Session> | undefined)[] = Array.from({ length: size })
  let isClosed = false

  const openSlot = (slot: number): Promise<Session> => {
    opening[slot] ??= open()
      .then((session) => {
        if (isClosed) session.destroy()
        slots[slot] = session
        void session.closed.then(() => {
          slots[slot] = undefined
          if (!isClosed) onLoss()
        })
        return session
      })
      .finally(() => {
        opening[slot] = undefined
      })
    return opening[slot]
  }

  /** The least busy session; one that is not open yet only if all others have something to do. */
  const pick = (): Session | Promise<Session> => {
    let best: Session | undefined
    let free = -1
    for (let slot = 0; slot < size; slot++) {
      const session = slots[slot]
      if (!session || session.isLost) free = slot
      else if (!best || session.inFlight < best.inFlight) best = session
    }
    if (best && (best.inFlight === 0 || free === -1)) return best
    return openSlot(free)
  }

  return {
    async query(query: Query): Promise<Result> {
      if (isClosed) unavailable('The database is closed')
      const session = pick()
      return (session instanceof Promise ? await session : session).query(query)
    },
    destroy: () => {
      for (const session of slots) session?.destroy()
    },
    async close() {
      isClosed = true
      await Promise.all(slots.map((session) => session?.end()))
    },
  }
}

/** Sessions that are lent to one borrower at a time. One that was lost is never lent again. */
export const exclusiveSessions = (open: Open, size: number) => {
  const idle: Session[] = []
  const all = new Set<Session>()
  const waiting: PromiseWithResolvers<void>[] = []
  let lent = 0
  let isClosed = false

  const acquire = async (): Promise<Session> => {
    if (isClosed) unavailable('The database is closed')
    if (lent < size) lent++
    else {
      const turn = Promise.withResolvers<void>()
      waiting.push(turn)
      await turn.promise
    }
    for (let session = idle.pop(); session; session = idle.pop()) if (!session.isLost) return session
    try {
      const session = await open()
      all.add(session)
      void session.closed.then(() => all.delete(session))
      return session
    } catch (error) {
      pass()
      throw error
    }
  }

  /** To whoever has waited longest. */
  const pass = () => {
    const next = waiting.shift()
    if (next) next.resolve()
    else lent--
  }

  return {
    acquire,
    release(session: Session) {
      if (isClosed) session.destroy()
      else if (!session.isLost) idle.push(session)
      pass()
    },
    destroy: () => {
      for (const session of all) session.destroy()
      for (const turn of waiting.splice(0)) turn.reject(new Unavailable('The database is not available'))
    },
    async close() {
      isClosed = true
      await Promise.all([...all].map((session) => session.end()))
    },
  }
}

import { Unavailable, unavailable } from '#platform/errors.ts'
import type { Query, Result, Session } from './connection.ts'

type Open = () => Promise<Session>

/**
 * A few sessions shared by many callers: each statement goes to the least busy one. A session is opened when it is needed
 * and replaced when it is lost; `onLoss` is called for every one that is lost.
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

  /** The least busy session. Opens another one only if all open ones are busy. */
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
    /** How many statements have no result yet. */
    get inFlight() {
      return slots.reduce((sum, session) => sum + (session?.inFlight ?? 0), 0)
    },
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

/** A pool of sessions, each used by one caller at a time. A lost session is not used again. */
export const exclusiveSessions = (open: Open, size: number) => {
  const idle: Session[] = []
  const all = new Set<Session>()
  const waiting: PromiseWithResolvers<void>[] = []
  let inUse = 0
  let isClosed = false

  const acquire = async (): Promise<Session> => {
    if (isClosed) unavailable('The database is closed')
    if (inUse < size) inUse++
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

  /** Hands the place to the caller that has waited longest. */
  const pass = () => {
    const next = waiting.shift()
    if (next) next.resolve()
    else inUse--
  }

  return {
    get inUse() {
      return inUse
    },
    /** How many callers wait for their turn. */
    get waiting() {
      return waiting.length
    },
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

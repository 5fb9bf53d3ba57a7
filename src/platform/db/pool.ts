import { AppError, codeOf, Unavailable, unavailable } from '#platform/errors.ts'
import type { Query, Result, Session } from './connection.ts'
import { presentTenant } from './tenant.ts'

export type Size = {
  /** How many sessions there may be. */
  sessions: number
  /** How many of them may work for the same tenant. */
  ofTenant: number
}

type Options = {
  open: () => Promise<Session>
  size: Size
  /** How many callers may wait, altogether and of the same tenant. */
  queue?: { all: number; ofTenant: number }
  /** Called for every session that is lost. */
  onLoss?: () => void
}

export type Pool = ReturnType<typeof createPool>

/** A session that nobody has used for this long is closed, because the process behind it takes memory. One is kept. */
const idleMs = 5_000
const checkIdleMs = 2_000

/** For how long a server that had no connection left is not asked for another one. */
const fullMs = 1_000
const isFull = (error: unknown) => codeOf(error) === '53300'

const tooManyOfTenant = new AppError(429, 'Too many requests at once that take long', {
  headers: { 'retry-after': '1' },
})

type Turn = PromiseWithResolvers<void>

/**
 * Sessions that are opened when they are needed, each used by one caller at a time: no statement waits behind another that
 * takes long or waits for a lock. Callers who wait get their turn tenant by tenant, and those of one tenant in the order in
 * which they came. A lost session is not used again.
 */
export const createPool = ({ open, size, queue, onLoss = () => {} }: Options) => {
  const all = new Set<Session>()
  /** The one used last is used next, so that the others can be closed. */
  const idle: { session: Session; since: number }[] = []
  const shares = new Map<string, number>()
  const waiting = new Map<string | null, Turn[]>()
  /** Those whose turn it is, but for whom the server has no connection. */
  const stranded: Turn[] = []
  let inUse = 0
  let inLine = 0
  let opening = 0
  let fullUntil = 0
  let isClosed = false

  const mayEnter = (tenant: string | null) =>
    inUse < size.sessions && (tenant === null || (shares.get(tenant) ?? 0) < size.ofTenant)

  const enter = (tenant: string | null) => {
    inUse++
    if (tenant !== null) shares.set(tenant, (shares.get(tenant) ?? 0) + 1)
  }

  const leave = (tenant: string | null) => {
    inUse--
    if (tenant === null) return
    const left = (shares.get(tenant) as number) - 1
    if (left > 0) shares.set(tenant, left)
    else shares.delete(tenant)
  }

  const waitInLine = (tenant: string | null): Promise<void> => {
    const turns = waiting.get(tenant) ?? []
    if (queue && inLine >= queue.all) unavailable('Too many requests at once that take long')
    if (queue && tenant !== null && turns.length >= queue.ofTenant) throw tooManyOfTenant
    const turn: Turn = Promise.withResolvers()
    turns.push(turn)
    waiting.set(tenant, turns)
    inLine++
    return turn.promise
  }

  /** Lets in whose turn it is. A tenant who had a turn is then the last. */
  const admit = () => {
    stranded.shift()?.resolve()
    for (const [tenant, turns] of waiting) {
      if (inUse === size.sessions) return
      if (!mayEnter(tenant)) continue
      const turn = turns.shift() as Turn
      waiting.delete(tenant)
      if (turns.length > 0) waiting.set(tenant, turns)
      inLine--
      enter(tenant)
      turn.resolve()
    }
  }

  const openAnother = async () => {
    opening++
    const session = await open().finally(() => opening--)
    all.add(session)
    void session.closed.then(() => {
      if (all.delete(session) && !isClosed) onLoss()
      stranded.shift()?.resolve()
    })
    return session
  }

  /** Where the server has no connection left for another session, waits for one of those that it has. */
  const take = async (): Promise<Session> => {
    for (;;) {
      if (isClosed) unavailable('The database is closed')
      for (let last = idle.pop(); last; last = idle.pop()) if (!last.session.isLost) return last.session
      if (all.size === 0 || performance.now() >= fullUntil)
        try {
          return await openAnother()
        } catch (error) {
          if (!isFull(error) || all.size + opening === 0) throw error
          fullUntil = performance.now() + fullMs
          continue
        }
      const turn: Turn = Promise.withResolvers()
      stranded.push(turn)
      await turn.promise
    }
  }

  const use = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const tenant = presentTenant()
    if (mayEnter(tenant)) enter(tenant)
    else await waitInLine(tenant)
    try {
      const session = await take()
      try {
        return await work(session)
      } finally {
        if (isClosed) session.destroy()
        else if (!session.isLost) idle.push({ session, since: performance.now() })
      }
    } finally {
      leave(tenant)
      admit()
    }
  }

  const closeIdle = () => {
    const before = performance.now() - idleMs
    while (idle.length > 1 && idle[0]!.since < before) {
      const { session } = idle.shift()!
      all.delete(session)
      void session.end()
    }
  }
  const closingIdle = setInterval(closeIdle, checkIdleMs).unref()

  return {
    /** How many callers have a session, and how many wait for one. */
    get inUse() {
      return inUse
    },
    get waiting() {
      return inLine
    },
    use,
    query: (query: Query): Promise<Result> => use((session) => session.query(query)),
    /** Fails whatever is under way or waits. */
    destroy() {
      for (const session of all) session.destroy()
      const turns = [...stranded.splice(0), ...[...waiting.values()].flat()]
      waiting.clear()
      inLine = 0
      for (const turn of turns) turn.reject(new Unavailable('The database is not available'))
    },
    async close() {
      isClosed = true
      clearInterval(closingIdle)
      await Promise.all([...all].map((session) => session.end()))
    },
  }
}

import { availableParallelism } from 'node:os'

type Server = {
  /** How many processes of this machine divide the sessions that one alone would open. */
  workers: number
  /** `max_connections` of the server, of which others need some, too. */
  maxConnections: number
}

/** What a server accepts unless it is told otherwise. */
const usualConnections = 100

const atOnce = 12
const batchesAtOnce = 4

/** Beside those below: the flushes of group commits, the signals, and the job queue's. */
const others = 4

/**
 * Where two tenants have used up their share, because somebody holds what they all wait for, at least one session is left
 * for the rest.
 */
const shared = (sessions: number) => ({ sessions, ofTenant: Math.max(1, Math.floor(sessions / 3)) })

/**
 * How many sessions a process may open for each kind of work. They are opened when they are needed. What takes long may
 * keep all cores but one busy, so that quick statements are not held up, and no tenant can keep others from it alone.
 */
export const poolSizes = ({ workers, maxConnections }: Server, cores = availableParallelism()) => {
  const share = Math.min(1, maxConnections / usualConnections) / workers
  const short = shared(Math.max(3, Math.round(atOnce * share)))
  const long = Math.max(1, Math.ceil(Math.max(2, cores - 1) / workers))
  return {
    statements: short,
    changes: short,
    writers: short,
    batches: shared(Math.max(2, Math.round(batchesAtOnce * share))),
    long: { sessions: long, ofTenant: Math.max(1, long - 1) },
  }
}

/** How many connections a process opens at most. */
export const mostConnections = (server: Server) =>
  Object.values(poolSizes(server)).reduce((sum, { sessions }) => sum + sessions, others)

import type { Connection } from './db/dial.ts'
import type { Channel } from './workers/channel.ts'

/** The place of a worker among the processes that serve together (ADR 34). */
export type Seat = {
  /** From 1. The first worker also runs the background jobs. */
  number: number
  /** The database, which the primary process has opened and migrated. */
  connection: Connection
  /** The connection to the primary process. */
  primary: Channel
  /** The file of the board on which workers post signals. */
  board: number
}

/** Whether this process does what one of the workers does for all. */
export const isFirst = (seat: Seat | undefined) => seat === undefined || seat.number === 1

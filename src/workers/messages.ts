import type { Config, ListenerName } from '#platform/config.ts'
import type { Connection } from '#platform/db/dial.ts'
import type { LogLevel } from '#platform/log.ts'

/** What the primary process and its workers tell each other about starting and stopping. */
export const topics = {
  /** To a worker: load the code of these services. It replies when it has. */
  load: 'load',
  /** To a worker: serve. It replies with an `Outcome`. */
  serve: 'serve',
  /** To a worker: finish what was begun, close everything and exit. */
  stop: 'stop',
}

/** Under which number a worker inherits the file of the board. The first ones are the standard streams and the channel. */
export const boardFile = 4

export type Assignment = {
  number: number
  config: Config
  connection: Connection
  log: { level: LogLevel; pretty: boolean }
}

export type Stop = { noticeMs: number }

export type Outcome = { urls: Record<ListenerName, string> } | { failure: Failure }

/** An error, in a form that can be sent. An operator is shown only the message of `forOperator`. */
export type Failure = { message: string; stack: string; forOperator: boolean }

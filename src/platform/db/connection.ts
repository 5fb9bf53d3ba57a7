import { DatabaseError, type QueryResult } from 'pg'
import type { CopyStreamQuery, CopyToStreamQuery } from 'pg-copy-streams'
import { type Connection, dial, isReadOnly } from './dial.ts'
import { types } from './types.ts'

export type SessionOptions = {
  applicationName: string
  /** Server settings of this session. A pooler ignores them. */
  settings?: Record<string, string>
  /** Uses prepared statements for queries that have a name. */
  prepare?: boolean
  onResponse?(): void
  onNotification?(payload: string): void
}

export type Result = { rows: Record<string, unknown>[]; count: number; command: string }

export type Query = { text: string; values?: unknown[]; name?: string | undefined }

/**
 * One connection to the server. Once it is lost it stays lost: every later statement fails, so that work that began on
 * one connection never continues on another.
 */
export type Session = {
  /** Statements run one at a time, in the order of the calls. */
  query(query: Query): Promise<Result>
  /** Starts a COPY. */
  copy<S extends CopyStreamQuery | CopyToStreamQuery>(stream: S): S
  /** The id of the server process, as it was reported when the connection was made. */
  readonly processId: number
  readonly isLost: boolean
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>
  /** Closes the connection once all results are in, after a few seconds at the latest. */
  end(): Promise<void>
  /** Closes the connection at once. Statements that have been sent may or may not take effect. */
  destroy(): void
}

const endTimeoutMs = 5_000

const asOptions = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/**
 * The connection was lost: the last statement may or may not have taken effect. This is not an `AppError`, which means
 * that a request was refused and nothing was done.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  constructor(cause?: unknown) {
    super('The database connection was lost', { cause })
  }
}

/** The routines of the server that report a prepared statement as missing or outdated; none of the statement was done. */
const stalePlans = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery'])
export const isStalePlan = (error: unknown) =>
  error instanceof DatabaseError && stalePlans.has(error.routine ?? '')

export const connect = async (connection: Connection, options: SessionOptions): Promise<Session> => {
  const { settings = {}, prepare = false } = options
  const { client, socket } = await dial(connection, {
    application_name: options.applicationName,
    ...(Object.keys(settings).length > 0 ? { options: asOptions(settings) } : {}),
    types,
  })
  const closed = Promise.withResolvers<void>()
  let isLost = false
  let isRetired = false
  /** Statements without a result. The next is sent when the last of them has one. */
  let unfinished = 0
  let last: Promise<unknown> = Promise.resolve()
  const lose = () => {
    isLost = true
    socket.destroy()
    closed.resolve()
  }
  /**
   * The driver would use a stale plan again, and a server that was demoted stays so: the session accepts no more statements;
   * those in flight may finish.
   */
  const retire = () => {
    isRetired = true
    client.end().catch(lose)
  }
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', ({ payload }) => options.onNotification?.(payload ?? ''))
  if (socket.destroyed) lose()

  const send = async ({ text, values, name }: Query) => {
    if (isLost || isRetired) throw new ConnectionLost()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const done = (error: unknown, results: QueryResult | QueryResult[]) => {
      if (error) {
        if (isStalePlan(error) || isReadOnly(error)) retire()
        return reject(isLost && !(error instanceof DatabaseError) ? new ConnectionLost(error) : error)
      }
      options.onResponse?.()
      const result = Array.isArray(results) ? (results.at(-1) as QueryResult) : results
      resolve({ rows: result.rows, count: result.rowCount ?? 0, command: result.command })
    }
    // Without values, the text may contain several statements.
    void client.query(
      { text, ...(values ? { values } : {}), ...(name && prepare ? { name } : {}) },
      done as never,
    )
    return promise
  }

  return {
    async query(query) {
      const sent = unfinished++ === 0 ? send(query) : last.then(() => send(query))
      last = sent.catch(() => {})
      try {
        return await sent
      } finally {
        unfinished--
      }
    },
    copy: (stream) => client.query(stream),
    get processId() {
      return (client as unknown as { processID: number }).processID
    },
    get isLost() {
      return isLost || isRetired
    },
    closed: closed.promise,
    async end() {
      if (isLost) return
      const timeout = setTimeout(lose, endTimeoutMs)
      await client.end().catch(() => {})
      clearTimeout(timeout)
      lose()
    },
    destroy: lose,
  }
}

import { Socket } from 'node:net'
import { Client, DatabaseError, type QueryResult } from 'pg'
import type { CopyStreamQuery, CopyToStreamQuery } from 'pg-copy-streams'
import { types } from './types.ts'

/** Where a database is: a URL, or the parts of one. */
export type Connection =
  | string
  | { host: string; port: number; user: string; database: string; password?: string | undefined }

export type SessionOptions = {
  applicationName: string
  /** Server settings of this session. A pooler does not pass them on. */
  settings?: Record<string, string>
  /** Sends a statement before the previous one has been answered. */
  pipeline?: boolean
  /** Lets the server keep the plans of statements that have a name. */
  prepare?: boolean
  onAnswer?(): void
  onNotification?(payload: string): void
}

export type Result = { rows: Record<string, unknown>[]; count: number; command: string }

export type Query = { text: string; values?: unknown[]; name?: string | undefined }

/**
 * One connection to the server. Once it is lost it stays lost: every later statement is refused, so that work that was
 * begun on one connection can never continue on another.
 */
export type Session = {
  query(query: Query): Promise<Result>
  /** Starts a COPY. The session must not be pipelined. */
  copy<S extends CopyStreamQuery | CopyToStreamQuery>(stream: S): S
  /** The server process at the other end, as the connection was told. */
  readonly processId: number
  /** Statements that have been sent and not yet answered. */
  readonly inFlight: number
  readonly isLost: boolean
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>
  /** Waits for what has been sent, for a moment, and says goodbye. */
  end(): Promise<void>
  /** Cuts the connection. Whatever has been sent may or may not happen. */
  destroy(): void
}

const connectTimeoutMs = 10_000
const goodbyeMs = 5_000

const addressOf = (connection: Connection) =>
  typeof connection === 'string' ? { connectionString: connection } : connection

const asOptions = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/**
 * A connection went: whatever was sent last may or may not have happened. Not an `AppError`, which says that a request
 * was refused and nothing was done.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  constructor(cause?: unknown) {
    super('The database connection was lost', { cause })
  }
}

/** Where the server says that a plan it was to keep is gone or outdated. Nothing of the statement was done. */
const stalePlans = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery'])
export const isStalePlan = (error: unknown) =>
  error instanceof DatabaseError && stalePlans.has(error.routine ?? '')

export const connect = async (connection: Connection, options: SessionOptions): Promise<Session> => {
  const { settings = {}, pipeline = false, prepare = false } = options
  const socket = new Socket()
  const client = new Client({
    ...addressOf(connection),
    stream: () => socket,
    application_name: options.applicationName,
    ...(Object.keys(settings).length > 0 ? { options: asOptions(settings) } : {}),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    pipeline,
    types,
  })
  const closed = Promise.withResolvers<void>()
  let isLost = false
  let isRetired = false
  let inFlight = 0
  let last: Promise<unknown> = Promise.resolve()
  const lose = () => {
    isLost = true
    socket.destroy()
    closed.resolve()
  }
  /** A session remembers what it has prepared, so one of these plans would fail again; what is under way may end. */
  const retire = () => {
    isRetired = true
    client.end().catch(lose)
  }
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', ({ payload }) => options.onNotification?.(payload ?? ''))
  try {
    await client.connect()
  } catch (error) {
    lose()
    throw Object.assign(error as Error, { code: (error as { code?: string }).code ?? 'CONNECTION_FAILED' })
  }

  const send = ({ text, values, name }: Query) => {
    if (isLost || isRetired) throw new ConnectionLost()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const done = (error: unknown, results: QueryResult | QueryResult[]) => {
      inFlight--
      if (error) {
        if (isStalePlan(error)) retire()
        return reject(isLost && !(error instanceof DatabaseError) ? new ConnectionLost(error) : error)
      }
      options.onAnswer?.()
      const result = Array.isArray(results) ? (results.at(-1) as QueryResult) : results
      resolve({ rows: result.rows, count: result.rowCount ?? 0, command: result.command })
    }
    inFlight++
    // Without values the server takes several statements in one text.
    void client.query(
      { text, ...(values ? { values } : {}), ...(name && prepare ? { name } : {}) },
      done as never,
    )
    return promise
  }

  return {
    async query(query) {
      if (pipeline) return send(query)
      // One at a time, in the order in which they were asked for.
      const sent = last.then(() => send(query))
      last = sent.catch(() => {})
      return sent
    },
    copy: (stream) => client.query(stream),
    get processId() {
      return (client as unknown as { processID: number }).processID
    },
    get inFlight() {
      return inFlight
    },
    get isLost() {
      return isLost || isRetired
    },
    closed: closed.promise,
    async end() {
      if (isLost) return
      const impatience = setTimeout(lose, goodbyeMs)
      await client.end().catch(() => {})
      clearTimeout(impatience)
      lose()
    },
    destroy: lose,
  }
}

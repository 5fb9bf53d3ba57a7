import postgres from 'postgres'
import { types } from './types.ts'

export type Connection =
  | string
  | { host: string; port: number; user: string; database: string; password?: string | undefined }

export type PoolOptions = postgres.Options<typeof types>

/** A URL is used as it is, unless it names a Unix socket (`?host=/folder`), which the driver cannot read. */
export const connectionOf = (text: string): Connection => {
  const url = new URL(text)
  const host = url.searchParams.get('host')
  if (!host?.startsWith('/')) return text
  return {
    host,
    port: Number(url.port || url.searchParams.get('port') || 5432),
    user: decodeURIComponent(url.username) || (url.searchParams.get('user') ?? 'postgres'),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    password: decodeURIComponent(url.password) || undefined,
  }
}

export const driver = (connection: Connection, options: PoolOptions) => {
  const all = { types, onnotice: () => {}, backoff: false, connect_timeout: 5, ...options } as const
  return typeof connection === 'string' ? postgres(connection, all) : postgres({ ...connection, ...all })
}

/**
 * Connections that are given up together when one of them is lost; others are opened in their place when they are
 * needed. The driver would use them again, and then a query may wait for ever: one that it sent between the failure
 * and the end of a connection is never answered, and what was about to be sent at the end holds back the next start.
 * What the others have begun may go on for `graceSeconds`.
 */
export const openPool = (
  connection: Connection,
  options: PoolOptions,
  { graceSeconds = 2, onLoss = () => {} } = {},
) => {
  let isClosed = false
  const open = () => {
    let isLost = false
    const fresh = driver(connection, {
      ...options,
      onclose() {
        if (isLost || isClosed) return
        isLost = true
        onLoss()
        if (current === fresh) current = open()
        void fresh.end({ timeout: graceSeconds })
      },
    })
    return fresh
  }
  let current = open()
  return {
    get sql() {
      return current
    },
    close() {
      isClosed = true
      return current.end({ timeout: 5 })
    },
  }
}

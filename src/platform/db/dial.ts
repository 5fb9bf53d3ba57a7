import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { codeOf } from '#platform/errors.ts'
import { firstOf, serversOf } from './servers.ts'

/** The address of a database: a URL, which may list several hosts, or its parts. */
export type Connection =
  | string
  | { host: string; port: number; user: string; database: string; password?: string | undefined }

/** What a server answers to a write that is not, or no longer, the primary. */
const readOnly = '25006'
export const isReadOnly = (error: unknown) => codeOf(error) === readOnly

/** The server can be read only: a standby, or a primary that was demoted. */
class ReadOnlyServer extends Error {
  readonly code = readOnly
  constructor() {
    super('the server is read-only')
  }
}

/** Fails unless the server accepts writes. A demoted one may keep its sessions. */
export const demandWritable = ({ rows }: { rows: Record<string, unknown>[] }) => {
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServer()
}
export const showReadOnly = 'show transaction_read_only'

/** The driver's client, connected; and its socket, which ends the connection at once. */
type Link = { client: Client; socket: Socket }

/** Connects to the first server of an address that accepts writes. */
export const dial = async (connection: Connection, config: ClientConfig): Promise<Link> => {
  if (typeof connection !== 'string') return dialOne(connection, config, serversOf('').timeoutMs)
  const servers = serversOf(connection)
  return firstOf(
    servers,
    (connectionString) => dialOne({ connectionString }, config, servers.timeoutMs),
    ({ socket }) => socket.destroy(),
  )
}

const dialOne = async (address: ClientConfig, config: ClientConfig, timeoutMs: number): Promise<Link> => {
  const socket = new Socket()
  const client = new Client({
    ...address,
    ...config,
    stream: () => socket,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
  })
  // Whoever uses it learns of its end in other ways, too; without a listener the process would end.
  client.on('error', () => {})
  const timer = setTimeout(() => socket.destroy(), timeoutMs)
  try {
    await client.connect()
    demandWritable(await client.query(showReadOnly))
    return { client, socket }
  } catch (error) {
    socket.destroy()
    throw Object.assign(error as Error, { code: (error as { code?: string }).code ?? 'CONNECTION_FAILED' })
  } finally {
    clearTimeout(timer)
  }
}

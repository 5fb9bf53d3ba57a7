import { Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { SharedSockets } from '#platform/workers/shared-sockets.ts'
import type { App } from '../app.ts'
import { closeSessions, destroyConnections } from './http-server.ts'

/** How long requests in flight may take to finish. */
const finishMs = 20_000
/** How long a client with open connections, which knows that they end, may take to send requests already on their way. */
const lastCallMs = 2_000
const closeIdleEveryMs = 20
const [mostTurns, idleTurnMs] = [2_000, 0.1]

/** How far a server has come in shutting down. */
export type Shutdown = {
  /** It still serves, but reports that it is not ready, so that load balancers send no new requests. */
  leaving: boolean
  /** Each connection is closed after its next response. */
  closing: boolean
}

/**
 * Stops servers without failing a request (ADR 19). For `noticeMs` they report that they are not ready, so that a load
 * balancer can notice, and serve as before. Then they stop listening, and each connection closes after its next response:
 * closing an idle one could cut off a request on its way that must not be sent twice. Connections that stay idle are
 * closed after `lastCallMs`, and requests in flight may finish. Workers stop listening together.
 */
export const drain = async (
  servers: App[],
  shutdown: Shutdown,
  { noticeMs, shared }: { noticeMs: number; shared: SharedSockets | undefined },
) => {
  shutdown.leaving = true
  if (noticeMs > 0) await sleep(noticeMs)
  const listeners = servers.map(({ server }) => server)
  const ends = noticeMs > 0 ? await (shared ? stopTogether(listeners, shared) : stopListening(listeners)) : []
  const ended = Promise.all(ends)
  // Only now: who is told that a connection ends opens another, which would be reset if it were still in the backlog.
  shutdown.closing = true
  await Promise.race([ended, sleep(noticeMs > 0 ? lastCallMs : 0)])
  await Promise.all(servers.map((app) => close(app, ended)))
}

/** When all connections of each server have ended. */
type Ends = Promise<void>[]

const stopListening = async (servers: Server[]): Promise<Ends> => {
  await emptyBacklog(servers)
  return servers.map(closeListener)
}

const stopTogether = async (servers: Server[], { copy, meet }: SharedSockets): Promise<Ends> => {
  const copies = await copy(servers)
  const ends = servers.map(closeListener)
  await meet()
  if (copies.length > 0) ends.push(...(await stopListening(copies)))
  await meet()
  return ends
}

/**
 * Waits until nothing is in the backlog: whatever is in it when a server stops listening is reset, although its client may
 * have sent a request. A connection that is opened later is refused, so its client knows that nothing was done. The moment
 * is right after a turn of the event loop that had nothing to do.
 */
const emptyBacklog = async (servers: Server[]) => {
  let accepted = 0
  const count = () => void accepted++
  for (const server of servers) server.on('connection', count)
  for (let turns = 0; turns < mostTurns; turns++) {
    const [before, started] = [accepted, performance.now()]
    await nextTurn()
    if (accepted === before && performance.now() - started < idleTurnMs) break
  }
  for (const server of servers) server.off('connection', count)
}

/** Resolves when all connections have ended. */
const closeListener = async (server: Server) => {
  if (!server.listening) return
  // The method of net.Server, because that of http.Server would close idle connections as well.
  const closed = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()))
  // A client of HTTP/2 learns which of its requests were not looked at, and can send them elsewhere.
  closeSessions(server)
  await closed
}

const close = async (app: App, ended: Promise<unknown>) => {
  const { server } = app
  const closeIdle = () => {
    server.closeIdleConnections()
    closeSessions(server)
  }
  const sweep = setInterval(closeIdle, closeIdleEveryMs)
  const giveUp = setTimeout(() => destroyConnections(server), finishMs)
  await Promise.all([app.close(), ended])
  clearInterval(sweep)
  clearTimeout(giveUp)
}

import { Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { closeSessions, destroyConnections } from './http-server.ts'
import type { App, Lifecycle } from './service.ts'

/** How long requests in flight may take to finish. */
const finishMs = 20_000
/** How long a client with open connections, which knows that they end, may take to send requests already on their way. */
const lastCallMs = 2_000
const closeIdleEveryMs = 20

/**
 * Stops servers without failing a request (ADR 20). For `noticeMs` they report that they are not ready, so that a load
 * balancer can notice, and serve as before. Then they stop listening, and each connection closes after its next response:
 * closing an idle one could cut off a request on its way that must not be sent twice. Connections that stay idle are
 * closed after `lastCallMs`, and requests in flight may finish.
 */
export const drain = async (servers: App[], lifecycle: Lifecycle, noticeMs: number) => {
  lifecycle.leaving = true
  if (noticeMs > 0) await sleep(noticeMs)
  lifecycle.closing = true
  if (noticeMs > 0) await Promise.all(servers.map(lastCall))
  await Promise.all(servers.map(close))
}

const lastCall = async ({ server }: App) => {
  if (!server.listening) return
  // Accept connections that are already in the backlog. Later ones are refused, so their clients know nothing was done.
  await nextTurn()
  // The method of net.Server, because that of http.Server would close idle connections as well.
  const closed = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()))
  // A client of HTTP/2 learns which of its requests were not looked at, and can send them elsewhere.
  closeSessions(server)
  await Promise.race([closed, sleep(lastCallMs)])
}

const close = async (app: App) => {
  const { server } = app
  const closeIdle = () => {
    server.closeIdleConnections()
    closeSessions(server)
  }
  const sweep = setInterval(closeIdle, closeIdleEveryMs)
  const giveUp = setTimeout(() => destroyConnections(server), finishMs)
  await app.close()
  clearInterval(sweep)
  clearTimeout(giveUp)
}

import { Server } from 'node:net'
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises'
import type { App, Lifecycle } from './service.ts'

/** Requests that were begun have this long to be answered. */
const patienceMs = 20_000
/** Who keeps connections open, and was told of the end, has this long to send what is on its way on one of them. */
const lastCallMs = 2_000
const lookMs = 20

/**
 * Stops servers without failing a request. First they say that they are not ready, for as long as whoever watches
 * needs to notice, and serve as ever. Then they listen no more, and each connection that was kept open ends with its
 * next answer: what is cut when it is idle may just be carrying a request that must not be sent twice. What is idle
 * even so is closed, and what is in flight is waited for, within reason.
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
  // Just now everybody who had knocked was let in; whoever knocks at a closed door knows that nothing was done.
  await afterReading()
  // Not that of an HTTP server, which would close idle connections as well.
  const over = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()))
  await Promise.race([over, sleep(lastCallMs)])
}

const close = async (app: App) => {
  const sweep = setInterval(() => app.server.closeIdleConnections(), lookMs)
  const impatience = setTimeout(() => app.server.closeAllConnections(), patienceMs)
  await app.close()
  clearInterval(sweep)
  clearTimeout(impatience)
}

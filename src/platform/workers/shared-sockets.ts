import type { ChildProcess } from 'node:child_process'
import { Server } from 'node:net'
import { withTimeout } from '#platform/with-timeout.ts'
import type { Channel } from './channel.ts'

const topic = 'meet'

/** Whoever does not come is not waited for: it is busy, or has ended. */
const patienceMs = 1_000

/**
 * How workers stop listening without resetting a connection. The socket that they share is also open in the primary process,
 * which closes it a moment after the last of them, and what is opened in that moment would be reset. So the first
 * worker accepts from a copy of the socket until the others and the primary process have closed it, and then closes the copy.
 */
export type SharedSockets = {
  /** Copies of what these servers listen on, in the first worker; none in the others. */
  copy(servers: Server[]): Promise<Server[]>
  /** Resolves when all workers have called it. */
  meet(): Promise<unknown>
}

/** In a worker. */
export const shareSockets = (primary: Channel, { isFirst }: { isFirst: boolean }): SharedSockets => ({
  async copy(servers) {
    const copies: Server[] = []
    if (isFirst)
      for (const [number, server] of servers.entries()) copies.push(...(await copyOf(server, number)))
    return copies
  },
  meet: () => withTimeout(patienceMs, primary.ask(topic, null)).catch(() => {}),
})

type Copy = { copyOf: number }

/** A copy of the socket that a server listens on, which accepts connections for that server. None if it does not arrive. */
const copyOf = (server: Server, number: number): Promise<Server[]> => {
  const { promise, resolve } = Promise.withResolvers<Server[]>()
  let isAwaited = true
  process.on('message', (message: Partial<Copy>, copy) => {
    if (message.copyOf !== number || !(copy instanceof Server)) return
    if (isAwaited) resolve([copy.on('connection', (socket) => server.emit('connection', socket))])
    else copy.close()
  })
  process.send?.({ copyOf: number } satisfies Copy, server)
  return withTimeout(patienceMs, promise).catch(() => {
    isAwaited = false
    return []
  })
}

/** In the primary process: sends a socket back to the worker that it came from, which then has it twice. */
export const returnCopies = (worker: ChildProcess) =>
  worker.on('message', (message, socket) => {
    if (!(socket instanceof Server)) return
    worker.send(message as object, socket)
    // At once, because it would accept connections.
    socket.close()
  })

/** In the primary process: lets workers meet. */
export const arrangeMeetings = (workers: () => Channel[]) => {
  const waiting = new Map<Channel, () => void>()
  const look = () => {
    if (!workers().every((worker) => waiting.has(worker))) return
    for (const goOn of waiting.values()) goOn()
    waiting.clear()
  }
  return {
    join: (worker: Channel) =>
      worker.on(topic, () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.set(worker, resolve)
        look()
        return promise
      }),
    leave(worker: Channel) {
      waiting.delete(worker)
      look()
    },
  }
}

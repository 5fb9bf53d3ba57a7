import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { StreamRequest } from './http2.ts'

/** How many requests of a connection have not begun. */
const waiting = new WeakMap<Socket, number>()

/**
 * Begins the requests that a client sends on one connection without waiting for responses (HTTP/1 pipelining) one after
 * another. Node would begin all of them and keep their responses until the client has read those before. Nothing more is
 * read from the connection while requests wait.
 */
export const inTurn =
  (listener: RequestListener): RequestListener =>
  (req: IncomingMessage, res: ServerResponse) => {
    // A response has no socket before it is its turn.
    if (req instanceof StreamRequest || res.socket !== null) return listener(req, res)
    const { socket } = req
    const begin = () => {
      const left = (waiting.get(socket) as number) - 1
      if (left > 0) waiting.set(socket, left)
      else {
        waiting.delete(socket)
        socket.resume()
      }
      if (!socket.destroyed) listener(req, res)
    }
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    socket.pause()
    res.once('socket', () => process.nextTick(begin))
  }

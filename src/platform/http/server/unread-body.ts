import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { StreamRequest } from './http2.ts'

/**
 * Handles `Expect: 100-continue`: the client is told to send the body when it is about to be read, and not at all if the
 * request is refused before that.
 */
export const continueWhenRead = (server: Server) => (req: IncomingMessage, res: ServerResponse) => {
  const read = req._read
  req._read = (size) => {
    req._read = read
    // After the response, a body is read only to be discarded.
    if (!res.headersSent) res.writeContinue()
    req._read(size)
  }
  server.emit('request', req, res)
}

const lingerMs = 1_000

/**
 * For a response that closes the connection while the client may still be sending. If its bytes reached a closed socket,
 * the connection would be reset and the client might never read the response, so they are discarded for a moment first.
 */
export const closeGently = (req: IncomingMessage | StreamRequest) => {
  // Over HTTP/2 only the stream ends, see `StreamResponse`.
  if (req instanceof StreamRequest) return
  const { socket } = req
  socket.destroySoon = () => {
    socket.end()
    const over = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('close', () => clearTimeout(over))
  }
}

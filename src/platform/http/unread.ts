import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * What becomes of a body that nobody wants. A client that sends `Expect: 100-continue` asks first: it is told to go on
 * when the body is about to be read, and not at all if it is refused before that.
 */
export const continueWhenRead = (server: Server) => (req: IncomingMessage, res: ServerResponse) => {
  const read = req._read
  req._read = (size) => {
    req._read = read
    // After the answer a body is read only to be thrown away.
    if (!res.headersSent) res.writeContinue()
    req._read(size)
  }
  server.emit('request', req, res)
}

const lingerMs = 1_000

/**
 * For an answer that ends the connection while the client may still be sending: if its bytes met a closed socket, it
 * would be told so at once, and never read the answer. So they are taken and thrown away for a moment.
 */
export const closeGently = (socket: Socket) => {
  socket.destroySoon = () => {
    socket.end()
    const over = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('close', () => clearTimeout(over))
  }
}

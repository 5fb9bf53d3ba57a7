import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A TCP connection to a service. */
export const rawConnection = async (base: string) => {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Everything the server sends until the connection is closed. */
export const untilClosed = async (socket: Socket) => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A reset counts as closed.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}

/** The head of a request. */
export const headOf = (call: string, headers: Record<string, string | number>) =>
  `${call} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** Sends some bytes repeatedly until the connection is closed, as a slow client does. */
export const trickle = (socket: Socket, bytes: string, everyMs: number) => {
  const timer = setInterval(() => socket.write(bytes), everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** Sends a text and resets the connection at once. */
export const sendAndReset = async (base: string, text: string) => {
  const socket = await rawConnection(base)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(text, () => socket.resetAndDestroy())
  await closed
}

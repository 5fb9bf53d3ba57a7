import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection to a service, and what comes back on it. */
export const rawConnection = async (base: string) => {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** All that the server says until it closes the connection. */
export const untilClosed = async (socket: Socket) => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A reset is an end like any other here.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}

/** The first bytes of a request that has a body. */
export const headOf = (call: string, headers: Record<string, string | number>) =>
  `${call} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** Sends whole bytes again and again until the connection is closed, for whoever is to be slow. */
export const trickle = (socket: Socket, bytes: string, everyMs: number) => {
  const timer = setInterval(() => socket.write(bytes), everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** Sends something and takes the connection away at once, without the usual farewell. */
export const sendAndReset = async (base: string, text: string) => {
  const socket = await rawConnection(base)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(text, () => socket.resetAndDestroy())
  await closed
}

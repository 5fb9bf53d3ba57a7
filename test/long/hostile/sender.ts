import { connect, type Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** Sends bytes from a thread of its own, so that what sending them takes is not blamed on the server. */

export type Sending = { id: number; port: number; bytes: Uint8Array }
export type Received = { id: number; status: number; text: string }

const longestMs = 30_000
const kept = 400

const isStream = (text: string) => /\r\ncontent-type: text\/event-stream/i.test(text)

parentPort?.on('message', ({ id, port, bytes }: Sending) => {
  const socket: Socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    if (text.length < kept) text += String(chunk).slice(0, kept)
    // These never end.
    if (isStream(text)) socket.destroy()
  })
  // A server that refuses a body closes the connection while it is sent.
  socket.on('error', () => {})
  socket.on('close', () => {
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
    parentPort?.postMessage({ id, status, text } satisfies Received)
  })
  socket.setTimeout(longestMs, () => socket.destroy())
  socket.write(bytes)
})

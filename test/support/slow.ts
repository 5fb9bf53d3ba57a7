import { once } from 'node:events'
import { connect } from 'node:net'

export type SlowRequest = Awaited<ReturnType<typeof slowRequest>>

/** A request whose body the test sends piece by piece, or not at all. */
export const slowRequest = async (base: string, call: string, headers: Record<string, string | number>) => {
  const [method, path] = call.split(' ')
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  let closed = false
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  await once(socket, 'connect')
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)

  /** Everything received, once it matches. */
  const seen = async (wanted: RegExp) => {
    while (!wanted.test(text)) {
      if (closed) throw new Error(`closed after ${JSON.stringify(text)}`)
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
    }
    return text
  }
  return {
    send: (bytes: string | Buffer) => socket.write(bytes),
    seen,
    /** The status and text of the response, including interim responses. */
    async answer() {
      const whole = await seen(/\r\n\r\n\{.*\}$/s)
      return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(whole)?.[1]), text: whole }
    },
    /** Resolves when the server has ended the connection. */
    async ended() {
      if (!socket.readableEnded && !closed) await once(socket, 'end')
    },
    destroy: () => socket.destroy(),
  }
}

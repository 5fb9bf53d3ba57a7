import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

type Message = {
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they find
  body: any
  at: number
}
type Respond = (res: ServerResponse, message: Message, req: IncomingMessage) => unknown

/** A real receiver of webhooks. It responds with 204 until it is told something else. */
export const startReceiver = async (t: TestContext) => {
  const received: Message[] = []
  const state: { respond: Respond; now: number; most: number } = {
    respond: (res) => res.writeHead(204).end(),
    now: 0,
    most: 0,
  }
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    state.most = Math.max(state.most, ++state.now)
    res.once('close', () => state.now--)
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message = {
        headers: req.headers as Record<string, string>,
        text,
        body: text === '' ? null : JSON.parse(text),
        at: performance.now(),
      }
      received.push(message)
      state.respond(res, message, req)
    })
    req.on('error', () => {})
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** How many requests wait for a response. */
    get now() {
      return state.now
    },
    /** The most requests at once. */
    get most() {
      return state.most
    },
    respond(how: Respond) {
      state.respond = how
    },
    async until(count: number, ms = 60_000) {
      const deadline = performance.now() + ms
      while (received.length < count) {
        if (performance.now() > deadline)
          throw new Error(`${received.length} of ${count} messages after ${ms} ms`)
        await sleep(5)
      }
      return received
    },
  }
}

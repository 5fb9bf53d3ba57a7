import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { load } from './load.ts'
import type { Measure } from './measure.ts'

/** The least a Node server can do: the same JSON, from `node:http`, in a process of its own. */
export const bareServer = async (body: string): Promise<{ measure: Measure; stop(): void }> => {
  const child = fork(new URL(import.meta.url), ['bare', body])
  const [port] = (await once(child, 'message')) as [number]
  return {
    measure: async (seconds) => (await load({ url: `http://127.0.0.1:${port}/`, seconds })).perSecond,
    stop: () => void child.kill(),
  }
}

if (process.argv[2] === 'bare') {
  const body = process.argv[3] as string
  const server = createServer((_, reply) => {
    reply.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    reply.end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

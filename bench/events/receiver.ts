import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of webhooks that counts. */
export const startReceiver = async () => {
  let count = 0
  let wanted = Number.POSITIVE_INFINITY
  let reached = () => {}
  const server = createServer((req, res) => {
    req.resume()
    req.on('end', () => {
      res.writeHead(204).end()
      if (++count === wanted) reached()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Resolves when so many more have come. */
    expect(more: number) {
      wanted = count + more
      return new Promise<void>((resolve) => {
        reached = resolve
      })
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

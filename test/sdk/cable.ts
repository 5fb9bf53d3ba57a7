import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/**
 * A cable to a service that can be pulled: connections break, and new ones are refused until it is plugged in again. With
 * `pauseMs` it is slow.
 */
export const cableTo = async (t: TestContext, base: string, pauseMs = 0) => {
  const { hostname, port } = new URL(base)
  const open = new Set<Socket>()
  let isPulled = false
  let passed = 0
  let pullAt = Number.POSITIVE_INFINITY
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    if (isPulled) return void near.resetAndDestroy()
    far.pipe(near)
    near.on('data', (chunk) => {
      passed += chunk.length
      if (passed >= pullAt) return pull()
      far.write(chunk)
      if (pauseMs === 0) return
      near.pause()
      setTimeout(() => near.resume(), pauseMs)
    })
  })
  const pull = () => {
    isPulled = true
    for (const socket of open) socket.resetAndDestroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    pull()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pull,
    plugIn() {
      isPulled = false
      pullAt = Number.POSITIVE_INFINITY
    },
    /** Pulls it when that many more bytes have been sent to the service. */
    pullAfter(bytes: number) {
      pullAt = passed + bytes
    },
    /** How many bytes the client has sent. */
    get sent() {
      return passed
    },
  }
}

import { connect } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'

type Puts = {
  url: string
  headers: Record<string, string>
  size: number
  connections: number
  seconds: number
}

/** Uploads under ever new keys, over a few kept-alive connections. Answers how many a second. */
export const puts = (options: Puts): Promise<number> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: options })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

const hammer = ({ url, headers, size, connections, seconds }: Puts, done: (perSecond: number) => void) => {
  const { host, hostname, port, pathname } = new URL(url)
  const lines = Object.entries({ host, 'content-length': String(size), ...headers })
  const rest = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const body = Buffer.alloc(size, 'p')
  const run = Math.random().toString(36).slice(2)
  let [sent, answers, failures] = [0, 0, 0]
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname).setNoDelay()
    const next = () => {
      socket.write(`PUT ${pathname}/${run}-${++sent} HTTP/1.1\r\n${rest}\r\n`)
      socket.write(body)
    }
    socket.once('connect', next)
    // The answers are short: each comes in one piece.
    socket.on('data', (chunk) => {
      if (chunk.toString('latin1', 0, 12) === 'HTTP/1.1 201') answers++
      else failures++
      next()
    })
    return socket
  })
  setTimeout(() => {
    for (const socket of sockets) socket.destroy()
    if (failures > 0) throw new Error(`${failures} uploads failed`)
    done(answers / seconds)
  }, seconds * 1000)
}

if (parentPort) hammer(workerData as Puts, (perSecond) => parentPort?.postMessage(perSecond))

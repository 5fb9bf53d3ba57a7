import { connect, type Socket } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** One HTTP request, all of it known beforehand, except for `{n}` in the URL: a number that no other request has. */
export type Request = { url: string; method?: string; headers?: Record<string, string>; body?: string }

/**
 * One request, sent again and again over a few kept-alive connections, each waiting for its answer. With
 * `variants` they take turns, all at the same server.
 */
export type Load = Request & { variants?: Partial<Request>[]; connections?: number; seconds: number }

/** Times of single responses in milliseconds. */
export type Rate = { requests: number; perSecond: number; median: number; p95: number; slowest: number }

/** Fails with the first answer that does. Runs in a thread of its own, so that measuring does not slow down what is measured. */
export const load = (options: Load): Promise<Rate> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: options })
    worker.once('error', reject)
    worker.once('message', ({ failures, ...rate }: Rate & { failures: number }) => {
      if (failures === 0) resolve(rate)
      else reject(new Error(`${failures} requests to ${options.url} failed`))
    })
  })

type Send = (socket: Socket) => void

/** Returns a function that sends the request. Only what changes is made each time; a large body is never copied. */
const prepare = ({ url, method = 'GET', headers = {}, body = '' }: Request): Send => {
  const { host, pathname, search } = new URL(url)
  const length = body
    ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    : {}
  const lines = Object.entries({ host, ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const target = pathname + search
  const rest = Buffer.from(` HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const request = Buffer.concat([Buffer.from(`${method} ${target}`), rest])
  // The URL parser has percent-encoded the braces.
  if (!target.includes('%7Bn%7D')) return (socket) => socket.write(request)
  return (socket) => {
    socket.cork()
    socket.write(`${method} ${target.replace('%7Bn%7D', nextNumber())}`)
    socket.write(rest)
    socket.uncork()
  }
}

const run = Date.now().toString(36)
let numbers = 0
const nextNumber = () => `${run}-${++numbers}`

const separator = Buffer.from('\r\n\r\n')

/** The least an HTTP client can do: find where one answer ends by its Content-Length. */
const hammer = (socket: Socket, next: () => Send, onAnswer: (ok: boolean, ms: number) => void) => {
  let pending: Buffer = Buffer.alloc(0)
  let missing = 0
  let ok = true
  let sent = 0
  const send = () => {
    sent = performance.now()
    next()(socket)
  }
  socket.on('data', (chunk: Buffer) => {
    if (missing > chunk.length) {
      missing -= chunk.length
      return
    }
    if (missing > 0) {
      missing = 0
    } else {
      pending = pending.length ? Buffer.concat([pending, chunk]) : chunk
      const end = pending.indexOf(separator)
      if (end < 0) return
      const head = pending.toString('latin1', 0, end)
      ok = head.startsWith('HTTP/1.1 2') || head.startsWith('HTTP/1.1 304')
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      missing = Math.max(0, end + 4 + length - pending.length)
      pending = Buffer.alloc(0)
      if (missing > 0) return
    }
    onAnswer(ok, performance.now() - sent)
    send()
  })
  send()
}

if (parentPort) {
  const options = workerData as Load
  const { hostname, port } = new URL(options.url)
  const requests = (options.variants ?? [{}]).map((variant) => prepare({ ...options, ...variant }))
  const times: number[] = []
  let turn = 0
  let failures = 0
  const next = () => requests[turn++ % requests.length] as Send
  const sockets = Array.from({ length: options.connections ?? 32 }, () =>
    connect(Number(port), hostname).setNoDelay(),
  )
  for (const socket of sockets)
    socket.once('connect', () =>
      hammer(socket, next, (ok, ms) => {
        times.push(ms)
        if (!ok) failures++
      }),
    )
  const started = performance.now()
  setTimeout(() => {
    const perSecond = times.length / ((performance.now() - started) / 1000)
    for (const socket of sockets) socket.destroy()
    const sorted = Float64Array.from(times).sort()
    const [median, p95, slowest] = [0.5, 0.95, 1].map(
      (part) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0,
    )
    parentPort?.postMessage({ requests: times.length, perSecond, failures, median, p95, slowest })
  }, options.seconds * 1000)
}

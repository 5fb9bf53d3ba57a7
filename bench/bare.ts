import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { load, type Request } from './load.ts'
import type { Measure } from './measure.ts'

/** One response as the bare server sends it; `body` is base64. */
type Recorded = { method: string; path: string; status: number; type: string; etag: string; body: string }

const record = async ({ url, method = 'GET', headers = {}, body }: Request): Promise<Recorded> => {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  const { pathname, search } = new URL(url)
  return {
    method,
    path: pathname + search,
    status: response.status,
    type: response.headers.get('content-type') ?? 'application/octet-stream',
    etag: response.headers.get('etag') ?? '',
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}

export type Bare = {
  url: string
  pid: number
  /** How many requests per second, all of them for the first that was recorded. */
  measure(headers?: Record<string, string>): Measure
  stop(): void
}

/**
 * The least that a Node server can do: sends each request once to the server under test and keeps the responses, then
 * sends the same bytes for the same requests from `node:http` alone, in a process of its own.
 */
export const bareServer = async (...requests: Request[]): Promise<Bare> => {
  const recorded: Recorded[] = []
  for (const request of requests) recorded.push(await record(request))
  const child = fork(new URL(import.meta.url), ['bare'])
  child.send(recorded)
  const [port] = (await once(child, 'message')) as [number]
  const url = `http://127.0.0.1:${port}`
  const first = url + (recorded[0] as Recorded).path
  return {
    url,
    pid: child.pid as number,
    measure:
      (headers = {}) =>
      async (seconds) =>
        (await load({ url: first, headers, seconds })).perSecond,
    stop: () => void child.kill(),
  }
}

const serve = (recorded: Recorded[]) => {
  const responses = new Map(
    recorded.map(({ method, path, body, ...rest }) => [
      `${method} ${path}`,
      { ...rest, body: Buffer.from(body, 'base64') },
    ]),
  )
  const server = createServer((req, res) => {
    const found = responses.get(`${req.method} ${req.url}`)
    if (!found) return res.writeHead(404).end()
    const { status, type, etag, body } = found
    if (etag !== '' && req.headers['if-none-match'] === etag) return res.writeHead(304, { etag }).end()
    const send = () =>
      res.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body)
    if (req.method === 'GET' || req.method === 'HEAD') return send()
    // A request with a body is answered when all of it has arrived.
    return req.resume().once('end', send)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

if (process.argv[2] === 'bare') process.once('message', (recorded) => serve(recorded as Recorded[]))

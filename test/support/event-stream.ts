import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

type Received = { id: string; event: string; data: Record<string, unknown> }

/** Reads a stream of Server-Sent Events as it comes. */
export const openEventStream = (
  url: string,
  headers: Record<string, string> = {},
  /** Of the client. */
  localAddress = '127.0.0.1',
) => {
  const received: Received[] = []
  const other: string[] = []
  const ended = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<{ status: number; headers: Record<string, unknown> }>()
  let text = ''
  const read = (block: string) => {
    const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
    const id = fields.get('id')
    if (id === undefined) other.push(block)
    else
      received.push({
        id,
        event: fields.get('event') as string,
        data: JSON.parse(fields.get('data') as string),
      })
  }
  const options = { headers: { accept: 'text/event-stream', ...headers }, agent: false, localAddress }
  const req = request(url, options, (res) => {
    opened.resolve({ status: res.statusCode as number, headers: res.headers })
    res.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        read(text.slice(0, end))
        text = text.slice(end + 2)
      }
    })
    res.on('close', ended.resolve)
  })
  req.on('error', (error) => {
    opened.reject(error)
    ended.resolve()
  })
  req.end()
  opened.promise.catch(() => {})
  return {
    received,
    /** Comments and hints. */
    other,
    opened: opened.promise,
    ended: ended.promise,
    /** Waits until so many events have come. */
    async until(count: number, ms = 60_000) {
      const deadline = performance.now() + ms
      while (received.length < count) {
        if (performance.now() > deadline)
          throw new Error(`${received.length} of ${count} events after ${ms} ms`)
        await sleep(5)
      }
      return received
    },
    close: () => req.destroy(),
  }
}

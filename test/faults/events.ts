import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Oracle } from './oracle.ts'
import type { Traffic } from './traffic.ts'

type Event = { id: string; subject: string; type: string }

/** Longer than a process that was killed keeps others from delivering, and than the first retries take. */
const patienceMs = 90_000

/** A receiver that keeps what it got, in the order in which it came. It ends with the process. */
const startReceiver = async () => {
  const received: Event[] = []
  const server = createServer(async (req, res) => {
    try {
      received.push(JSON.parse(Buffer.concat(await req.toArray()).toString()))
      res.writeHead(204).end()
    } catch {
      // The node was killed while it sent.
      res.destroy()
    }
  }).unref()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}

/** Follows a stream, on another node each time that it ends, from the last id that it got. */
const follow = (urls: Traffic['urls'], headers: Record<string, string>, start: string) => {
  const received: string[] = []
  const leaving = new AbortController()
  const read = async (base: string) => {
    const after = received.at(-1) ?? start
    const response = await fetch(`${base}/api/events`, {
      headers: { ...headers, accept: 'text/event-stream', 'last-event-id': after },
      signal: leaving.signal,
    })
    let text = ''
    for await (const piece of response.ok ? (response.body ?? []) : []) {
      text += Buffer.from(piece).toString()
      const frames = text.split('\n\n')
      text = frames.pop() as string
      for (const frame of frames) {
        const id = /^id: (.+)$/m.exec(frame)?.[1]
        if (id !== undefined) received.push(id)
      }
    }
  }
  const run = async () => {
    for (let node = 0; !leaving.signal.aborted; node++, await sleep(100)) {
      const all = urls()
      await read(all[node % all.length]!.inventory).catch(() => {})
    }
  }
  void run()
  return { received, leave: () => leaving.abort() }
}

/** Those that came, without repetitions, in the order in which they came first. */
const firsts = (received: Event[]) =>
  [...new Map(received.toReversed().map((e) => [e.id, e])).values()].reverse()

const outOfOrder = (received: Event[]) => {
  const last = new Map<string, string>()
  return received.filter(({ id, subject }) => {
    const isLate = (last.get(subject) ?? '') > id
    last.set(subject, id)
    return isLate
  })
}

/**
 * A webhook and a stream of one company while faults happen: both get every event of what was committed, the webhook in the
 * order of each subject, the stream in the order of all and each once.
 */
export const watchEvents = async (
  { must, urls }: Traffic,
  oracle: Oracle,
  headers: Record<string, string>,
) => {
  const receiver = await startReceiver()
  const { next: start } = (await must('inventory', 'GET /api/events', { headers })).body
  await must('inventory', 'POST /api/webhooks', { headers, body: { url: receiver.url } })
  const stream = follow(urls, headers, start)

  const allEvents = async () => {
    const events: Event[] = []
    for (let after = start; ; ) {
      const { body } = await must('inventory', `GET /api/events?limit=500&after=${after}`, { headers })
      events.push(...body.events)
      if (body.events.length < 500) return events
      after = body.next
    }
  }

  return {
    allEvents,
    async check(events: Event[]) {
      const ids = events.map(({ id }) => id)
      const { verdict } = oracle
      const hasAll = (got: readonly string[]) => got.length >= ids.length
      for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(100))
        if (hasAll(firsts(receiver.received).map(({ id }) => id)) && hasAll(stream.received)) break
      stream.leave()
      const delivered = firsts(receiver.received)
      const got = new Set(delivered.map(({ id }) => id))
      for (const { id, type } of events)
        if (!got.has(id)) verdict.lost.push(`${type} ${id} was not delivered`)
      const known = new Set(ids)
      for (const { id, type } of delivered)
        if (!known.has(id)) verdict.doubled.push(`${type} ${id} was delivered, but is no event`)
      for (const { id, subject } of outOfOrder(delivered))
        verdict.miscounted.push(`${id} of ${subject} was delivered after a later one`)
      if (stream.received.join() !== ids.join())
        verdict.miscounted.push(
          `a stream got ${stream.received.length} events, ${new Set(stream.received).size} different ones, of ${ids.length}`,
        )
    },
  }
}

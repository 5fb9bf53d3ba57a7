import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '#platform/log.ts'
import { boot } from '#test/support/boot.ts'
import { publisher } from '#test/support/factories.ts'

/** The first read goes through its route, the second comes from memory. Nobody may notice, except by its speed. */
type Line = { msg: string; reqId: string; ms: number }
const lines: Line[] = []
const log = createLogger({
  level: 'info',
  pretty: false,
  destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
})
const system = await boot({ log, env: { RATE_LIMITS: 'on' } })

const writer = await publisher(system)
const post = (await writer.api('POST /api/posts', { body: { content: 'from memory: ✓' } })).body.data.post
const feed = `/api/users/${writer.handle}/feed.rss`
// A feed that changed twice within a second gets its final ETag when that second is over.
system.clock.advance(5_000)
// With a token, so that nothing is kept of it.
const etag = (await writer.api(`GET ${feed}?count=7`)).headers.get('etag') as string

const reads = [
  ['a post', system.publishing, `/api/posts/${post.id}`, {}, 200],
  ['a profile', system.publishing, `/api/users/${writer.handle}`, {}, 200],
  ['a feed', system.publishing, feed, {}, 200],
  ['a feed that has not changed', system.publishing, `${feed}?count=7`, { 'if-none-match': etag }, 304],
  // Its nonce is new each time, and so the length varies once it is compressed.
  [
    'an embedded page',
    system.publishing,
    `/widget/embed/${writer.handle}`,
    { 'accept-encoding': 'identity' },
    200,
  ],
  ['a compressed feed', system.publishing, `${feed}?count=9`, { 'accept-encoding': 'br' }, 200],
] as const

const numberIn = (text: string, pattern: string) =>
  Number(new RegExp(`^${pattern} (.*)$`, 'm').exec(text)?.[1] ?? 0)
const measured = async (api: (typeof reads)[number][1]) => {
  // The text of the metrics is kept for a tenth of a second.
  await sleep(150)
  const { text } = await api('GET /metrics')
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^trivet_http_request_seconds_${name}\\{.*\\} (.*)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  return {
    fast: numberIn(text, 'trivet_http_fast_path_responses_total\\{.*\\}'),
    requests: sum('count'),
    seconds: sum('sum'),
  }
}

const lineOf = async (response: { headers: Headers }) => {
  const id = response.headers.get('x-request-id')
  for (;;) {
    const line = lines.find(({ reqId, msg }) => reqId === id && msg === 'request')
    if (line) return line
    await sleep(5)
  }
}

/** What may differ between two responses to the same request. */
const nonce = /nonce(-|=")[\w+/=-]+/g
const comparable = ({ status, headers, text }: { status: number; headers: Headers; text: string }) => ({
  status,
  text: text.replaceAll(nonce, ''),
  headers: Object.fromEntries(
    [...headers]
      .filter(
        ([name]) =>
          !['date', 'x-request-id', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset'].includes(name),
      )
      .map(([name, value]) => [name, value.replaceAll(nonce, '')]),
  ),
})

for (const [name, api, path, more, status] of reads)
  test(`${name} is sent from memory the second time, with the same response, limit, log line and metrics`, async () => {
    const headers = { ...more, origin: 'https://reader.example' }
    const read = async () => {
      const response = await api(`GET ${path}`, { headers })
      return { ...response, line: await lineOf(response) }
    }
    const before = await measured(api)
    let routed = await read()
    let between = await measured(api)
    assert.equal(between.fast - before.fast, 0)
    let fast = await read()
    let after = await measured(api)
    let reads = 2
    // While the machine stalls, signals may be late, and nothing is sent from memory until they are not.
    for (; after.fast === between.fast && reads < 50; reads++) {
      ;[routed, between] = [fast, after]
      fast = await read()
      after = await measured(api)
    }
    assert.equal(after.fast - between.fast, 1)

    assert.equal(fast.status, status)
    assert.deepEqual(comparable(fast), comparable(routed))
    const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('ratelimit-remaining'))
    assert.equal(remaining(fast), remaining(routed) - 1)

    const { reqId: _, time: __, ms, ...told } = fast.line as Line & { time: string }
    const { reqId: ___, time: ____, ms: routedMs, ...routedTold } = routed.line as Line & { time: string }
    assert.deepEqual(told, routedTold)
    assert.ok(ms >= 0 && ms < 10_000 && routedMs >= 0)
    assert.equal(after.requests - before.requests, reads)
    assert.ok(after.seconds > between.seconds, 'the time of a response from memory is measured')
  })

test('a post from memory whose limit is used up is refused by its route', async () => {
  const read = () => system.publishing(`GET /api/posts/${post.id}`)
  const left = Number((await read()).headers.get('ratelimit-remaining'))
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < left + 50; sent += 10)
    for (const { status } of await Promise.all(Array.from({ length: 10 }, read)))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
  assert.ok(left > 0)
  assert.equal(statuses.get(200), left)
  assert.ok((statuses.get(429) ?? 0) >= 50)
  assert.equal(statuses.size, 2)
})

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { boot } from '#test/support/boot.ts'
import { openEventStream } from '#test/support/event-stream.ts'
import { shop } from './scene.ts'

const system = await boot()
const hourMs = 3_600_000

const listen = (
  t: TestContext,
  token: string,
  query = '',
  more: Record<string, string> = {},
  to = system,
) => {
  const stream = openEventStream(`${to.urls.inventory}/api/events${query}`, {
    authorization: `Bearer ${token}`,
    ...more,
  })
  t.after(stream.close)
  return stream
}

test('a stream sends each new event with its id, its type and the whole event, soon after it happened', async (t) => {
  const s = await shop(system)
  const product = await s.product(5)
  const stream = listen(t, s.token)
  const { status, headers } = await stream.opened
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['x-accel-buffering'], 'no')
  const started = performance.now()
  await s.order([[product, 1]])
  const [got] = await stream.until(1)
  assert.ok(performance.now() - started < 1_000)
  const { events } = (await s.api('GET /api/events?types=order.*')).body
  assert.deepEqual(got, { id: events[0].id, event: 'order.created', data: events[0] })
  assert.match(stream.other[0]!, /^retry: \d+$/)
})

test('a stream continues after the last id without gap or repetition, by header and by parameter', async (t) => {
  const s = await shop(system)
  for (let n = 0; n < 5; n++) await s.product(n)
  const all = (await s.api('GET /api/events')).body.events
  const third = all[2].id
  for (const stream of [
    listen(t, s.token, '', { 'last-event-id': third }),
    listen(t, s.token, `?after=${third}`),
    listen(t, s.token, `?after=${all[6].id}`, { 'last-event-id': third }),
  ]) {
    await stream.opened
    await stream.until(all.length - 3)
    const next = await s.product()
    const got = await stream.until(all.length - 2)
    assert.deepEqual(
      got.slice(0, all.length - 3).map(({ id }) => id),
      all.slice(3).map(({ id }: { id: string }) => id),
    )
    assert.equal((got.at(-1)!.data.data as { id: number }).id, next)
    all.push(got.at(-1)!.data)
  }
  assert.equal((await listen(t, s.token, '', { 'last-event-id': 'nonsense' }).opened).status, 400)
})

test('a stream is filtered like a page, and shows nothing of another tenant', async (t) => {
  const [s, other] = [await shop(system), await shop(system)]
  const [orders, foreign] = [listen(t, s.token, '?types=order.*'), listen(t, other.token)]
  await Promise.all([orders.opened, foreign.opened])
  const product = await s.product(5)
  await s.order([[product, 1]])
  const [got] = await orders.until(1)
  assert.equal(got!.event, 'order.created')
  await sleep(100)
  assert.deepEqual([orders.received.length, foreign.received.length], [1, 0])
  assert.equal((await listen(t, s.token, '?types=order.shipped').opened).status, 400)
  assert.equal((await listen(t, 'x').opened).status, 401)
})

test('many readers that connect while events are written all receive each of them once, in order', async (t) => {
  const s = await shop(system)
  const start = (await s.api('GET /api/events')).body.next
  const streams = []
  for (let n = 0; n < 30; n++) {
    await Promise.all([s.product(), s.product()])
    streams.push(listen(t, s.token, `?after=${start}`))
  }
  for (const stream of streams) await stream.until(60)
  const all = (await s.api(`GET /api/events?after=${start}`)).body.events.map(({ id }: { id: string }) => id)
  assert.equal(all.length, 60)
  for (const { received } of streams) assert.deepEqual(received.map(({ id }) => id), all) // biome-ignore format: one line
})

test('a stream ends within a second when its reader is banned, its key revoked, or its token expires', async (t) => {
  const s = await shop(system)
  const colleague = await s.colleague('Staff')
  const { key, id: keyId } = await s.created('POST /api/api-keys', { name: 'k', permissions: ['read'] })
  const login = await system.inventory('POST /api/auth/login', {
    body: { email: colleague.email, password: 'correct horse' },
  })
  const ofKey = openEventStream(`${system.urls.inventory}/api/external/events`, { 'x-api-key': key })
  t.after(ofKey.close)
  const ofColleague = listen(t, login.body.token)
  const ofAdmin = listen(t, s.token)
  await Promise.all([ofKey.opened, ofColleague.opened, ofAdmin.opened])
  const within = async (stream: typeof ofKey, act: () => unknown) => {
    await act()
    const begun = performance.now()
    await stream.ended
    assert.ok(performance.now() - begun < 1_500, `${performance.now() - begun} ms`)
  }
  await within(ofColleague, () => s.api(`PATCH /api/users/${colleague.id}`, { body: { is_banned: true } }))
  await within(ofKey, () => s.api(`DELETE /api/api-keys/${keyId}`))
  await within(ofAdmin, () => system.clock.advance(9 * hourMs))
  system.clock.advance(-9 * hourMs)
})

test('a reader who does not read is ended, and others receive everything', {
  timeout: 120_000,
}, async (t) => {
  const s = await shop(system)
  const { hostname, port } = new URL(system.urls.inventory)
  const lazy = connect(Number(port), hostname)
  t.after(() => lazy.destroy())
  const closed = new Promise<void>((resolve) => lazy.once('close', () => resolve()))
  lazy.on('error', () => {})
  lazy.write(
    `GET /api/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${s.token}\r\n\r\n`,
  )
  await new Promise<void>((resolve) => lazy.once('data', () => resolve()))
  lazy.pause()
  const other = listen(t, s.token)
  await other.opened
  const description = 'x'.repeat(9_000)
  let count = 0
  const importMore = async () => {
    const lines = Array.from({ length: 100 }, () => `S${++count},P${count},1.00,${description}`)
    const raw = ['sku,name,base_price,description', ...lines].join('\n')
    await s.api('POST /api/products/import', { raw, headers: { 'content-type': 'text/csv' } })
  }
  while (count < 1_500) await importMore()
  // Longer than the server waits for a reader with a full backlog; it looks when there is more to send.
  await sleep(2_000)
  await importMore()
  lazy.resume()
  await closed
  await other.until(count)
})

test('on another node an event arrives within a second, and a stream ends with a hint when its node stops', async (t) => {
  const other = await boot({ database: { url: system.databaseUrl }, t })
  const s = await shop(system)
  const stream = listen(t, s.token, '', {}, other)
  await stream.opened
  for (let n = 0; n < 3; n++) {
    const begun = performance.now()
    await s.product()
    await stream.until(n + 1)
    assert.ok(performance.now() - begun < 1_500, `${performance.now() - begun} ms`)
  }
  const closing = other.close()
  await stream.ended
  assert.match(stream.other.at(-1)!, /^retry: \d+$/)
  await closing
})

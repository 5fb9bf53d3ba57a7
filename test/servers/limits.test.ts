import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { systemClock } from '#platform/clock.ts'
import { createLimiter, type Limit } from '#platform/limits.ts'
import { startRedis } from '#test/support/redis.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
before(async () => {
  redis = await startRedis()
})
after(() => redis.stop())

const recorder = () => {
  const lines: string[] = []
  const line = (level: string) => () => {
    lines.push(level)
  }
  return { lines, info: line('info'), warn: line('warn') }
}

/** A limiter that has reached Redis: on a busy machine the first connection may outlast what a hit waits. */
const node = async (t: TestContext, clock = systemClock) => {
  const log = recorder()
  const limiter = createLimiter({ clock, redisUrl: redis.url, enabled: true, log })
  t.after(() => limiter.close())
  await limiter.peek(limitOf('warm-up', 1), 'x')
  while (log.lines.at(-1) === 'warn') {
    await sleep(20)
    await limiter.peek(limitOf('warm-up', 1), 'x')
  }
  log.lines.length = 0
  return { ...limiter, log }
}

const limitOf = (name: string, max: number): Limit => ({ name, max, windowSeconds: 60 })

test('two nodes share one limit exactly, also under parallel hits', async (t) => {
  const nodes = [await node(t), await node(t)]
  const limit = limitOf('shared', 50)
  const verdicts = await Promise.all(Array.from({ length: 200 }, (_, i) => nodes[i % 2]!.hit(limit, 'ann')))
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 50)
  const remaining = verdicts.filter(({ allowed }) => allowed).map((verdict) => verdict.remaining)
  assert.deepEqual(
    remaining.sort((a, b) => a - b),
    Array.from({ length: 50 }, (_, i) => i),
  )
  for (const { log } of nodes) assert.deepEqual(log.lines, [])
})

test('Redis answers as memory does', async (t) => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const clock = { now: () => new Date(now) }
  const shared = await node(t, clock)
  const alone = createLimiter({ clock, enabled: true, log: recorder() })
  const limit = limitOf('same', 5)
  const same = async (ask: (limiter: Pick<typeof alone, 'hit' | 'peek'>) => unknown) =>
    assert.deepEqual(await ask(shared), await ask(alone))
  await same((limiter) => limiter.peek(limit, 'ann'))
  for (const [wait, cost] of [
    [0, 1],
    [900, 2],
    [17_001, 1],
    [1, 3],
    [100, 6],
    [100, 1],
    [0, 1],
    [41_897, 1],
    [0, 2],
    [1, 1],
    [900, 2],
    [70_000, 5],
  ] as const) {
    now += wait
    await same((limiter) => limiter.hit(limit, 'ann', cost))
    await same((limiter) => limiter.peek(limit, 'ann'))
  }
  assert.deepEqual(shared.log.lines, [])
})

test('what one node forgets is free on the other, and keys expire by themselves', async (t) => {
  const [one, other] = [await node(t), await node(t)]
  const limit = limitOf('forget', 1)
  await one.hit(limit, 'ann')
  assert.equal((await other.hit(limit, 'ann')).allowed, false)

  const client = await createClient({ url: redis.url }).connect()
  t.after(async () => client.destroy())
  const lifetime = await client.pTTL('trivet:limit:forget:ann')
  assert.ok(lifetime > 0 && lifetime <= 60_000, String(lifetime))

  await other.forget(limit, 'ann')
  assert.equal((await one.hit(limit, 'ann')).allowed, true)
})

test('an outage is bridged from memory, told once, and over by itself', async (t) => {
  const [one, other] = [await node(t), await node(t)]
  const limit = limitOf('outage', 3)
  await one.hit(limit, 'ann')

  await redis.down()
  const started = performance.now()
  const during = await Promise.all(Array.from({ length: 20 }, () => one.hit(limit, 'ann')))
  for (let i = 0; i < 20; i++) during.push(await one.hit(limit, 'ann'))
  assert.ok(performance.now() - started < 1000, 'nobody waits for a server that is gone')
  assert.equal(during.filter(({ allowed }) => allowed).length, 3, 'this process still limits')
  assert.deepEqual(one.log.lines, ['warn'])

  await redis.up()
  const sharedAgain = async () =>
    (await one.hit(limitOf('probe', 1e6), 'x')).remaining ===
    (await other.peek(limitOf('probe', 1e6), 'x')).remaining
  while (!(await sharedAgain())) await sleep(50)
  assert.deepEqual(one.log.lines, ['warn', 'info'])

  const verdicts = await Promise.all([one, other, one, other].map((limiter) => limiter.hit(limit, 'bob')))
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 3)
})

test('a server that is silent holds up the first hits for a moment and the rest not at all', async (t) => {
  const one = await node(t)
  const limit = limitOf('silent', 3)
  await one.hit(limit, 'ann')

  redis.freeze()
  t.after(() => redis.thaw())
  const started = performance.now()
  const during = await Promise.all(Array.from({ length: 20 }, () => one.hit(limit, 'ann')))
  for (let i = 0; i < 20; i++) during.push(await one.hit(limit, 'ann'))
  assert.ok(performance.now() - started < 1000, 'one wait of 250 ms, not forty')
  assert.equal(during.filter(({ allowed }) => allowed).length, 3)
  assert.deepEqual(one.log.lines, ['warn'])

  redis.thaw()
  while (one.log.lines.length < 2) {
    await one.hit(limitOf('silent probe', 1e6), 'x')
    await sleep(50)
  }
  assert.deepEqual(one.log.lines, ['warn', 'info'])
})

test('a strict limit waits for a server that is slow, and counts as if nothing were', async (t) => {
  const [one, other] = [await node(t), await node(t)]
  const strict: Limit = { ...limitOf('strict slow', 3), strict: true }
  redis.freeze()
  t.after(() => redis.thaw())
  const asked = Promise.all([one, other, one, other, one, other].map((limiter) => limiter.hit(strict, 'ann')))
  // What is not strict has given up waiting by now.
  await one.hit(limitOf('lenient', 3), 'ann')
  redis.thaw()
  assert.equal((await asked).filter(({ allowed }) => allowed).length, 3)
})

test('a strict limit refuses with 503 while the server is silent or gone, and counts again afterwards', async (t) => {
  const one = await node(t)
  const strict: Limit = { ...limitOf('strict', 3), strict: true }
  const refusal = { status: 503, headers: { 'retry-after': '1' } }
  redis.freeze()
  t.after(() => redis.thaw())
  await Promise.all([
    assert.rejects(async () => one.hit(strict, 'ann'), refusal),
    assert.rejects(async () => one.peek(strict, 'ann'), refusal),
  ])
  assert.deepEqual(one.log.lines, ['warn'])
  redis.thaw()

  await redis.down()
  await assert.rejects(async () => one.hit(strict, 'bob'), refusal)
  const coming = one.hit(strict, 'eve')
  await redis.up()
  assert.equal((await coming).remaining, 2, 'whoever came just before the server is not sent away')
})

test('hits from the future are forgotten after a clock was set back; the skew of two nodes is not the future', async (t) => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const limit = limitOf('step', 3)
  const clock = (ahead: number) => ({ now: () => new Date(now + ahead) })
  const [behind, ahead] = [await node(t, clock(0)), await node(t, clock(10_000))]
  for (let i = 0; i < 3; i++) await ahead.hit(limit, 'ann')
  assert.equal((await behind.hit(limit, 'ann')).allowed, false)
  now -= 1
  assert.equal((await ahead.hit(limit, 'ann')).allowed, false)
  now -= 3_600_000
  assert.equal((await behind.hit(limit, 'ann')).remaining, 2)
})

test('a server that was never there holds up neither a hit nor the end', async (t) => {
  const log = recorder()
  const limiter = createLimiter({ clock: systemClock, redisUrl: `${redis.url}.none`, enabled: true, log })
  t.after(() => limiter.close())
  const started = performance.now()
  const verdicts = []
  for (let i = 0; i < 5; i++) verdicts.push(await limiter.hit(limitOf('absent', 3), 'ann'))
  assert.deepEqual(
    verdicts.map(({ allowed }) => allowed),
    [true, true, true, false, false],
  )
  await limiter.forget(limitOf('absent', 3), 'ann')
  assert.equal((await limiter.hit(limitOf('absent', 3), 'ann')).allowed, true)
  assert.ok(performance.now() - started < 1000)
  assert.deepEqual(log.lines, ['warn'])
})

import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { createClient } from '@redis/client'
import { systemClock } from '#platform/clock.ts'
import { createLimiter, type Limit } from '#platform/limits/limits.ts'
import { eventually } from '#test/support/eventually.ts'
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

/** A limiter that is connected to Redis: on a busy machine that may take longer than a hit waits. */
const node = async (t: TestContext, clock = systemClock) => {
  const log = recorder()
  const limiter = createLimiter({ clock, redisUrl: redis.url, enabled: true, log })
  t.after(() => limiter.close())
  await eventually(async () => {
    await limiter.hit(limitOf('warm-up', 1), 'x')
    assert.notEqual(log.lines.at(-1), 'warn')
  })
  log.lines.length = 0
  return { ...limiter, log }
}

const limitOf = (name: string, max: number): Limit => ({ name, max, windowSeconds: 60 })

test('two nodes share one limit exactly, even with parallel hits', async (t) => {
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

test('the verdicts of Redis are those of the counter in memory', async (t) => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const clock = { now: () => new Date(now) }
  const shared = await node(t, clock)
  const alone = createLimiter({ clock, enabled: true, log: recorder() })
  const limit = limitOf('same', 5)
  for (const wait of [0, 900, 0, 17_001, 1, 100, 0, 41_897, 0, 1, 900, 0, 70_000, 0, 0])
    for (const [key, count] of Object.entries({ ann: 1, bob: 2 })) {
      now += wait
      assert.deepEqual(await shared.hit(limit, key, count), await alone.hit(limit, key, count))
    }
  const fewer = { ...limit, max: 2 }
  assert.deepEqual(await shared.hit(fewer, 'ann'), await alone.hit(fewer, 'ann'))
  assert.deepEqual(shared.log.lines, [])
})

test('a key in Redis expires with its window', async (t) => {
  const one = await node(t)
  await one.hit(limitOf('expiry', 1), 'ann')

  const client = await createClient({ url: redis.url }).connect()
  t.after(async () => client.destroy())
  const lifetime = await client.pTTL('trivet:limit:expiry:ann')
  assert.ok(lifetime > 0 && lifetime <= 60_000, String(lifetime))
})

test('during an outage of Redis hits are counted in memory, with one warning, until it is back', async (t) => {
  const [one, other] = [await node(t), await node(t)]
  const limit = limitOf('outage', 3)
  await one.hit(limit, 'ann')

  await redis.down()
  const started = performance.now()
  const during = await Promise.all(Array.from({ length: 20 }, () => one.hit(limit, 'ann')))
  for (let i = 0; i < 20; i++) during.push(await one.hit(limit, 'ann'))
  assert.ok(performance.now() - started < 1000, 'hits do not wait for a server that is down')
  assert.equal(during.filter(({ allowed }) => allowed).length, 3, 'this process still limits')
  assert.deepEqual(one.log.lines, ['warn'])

  await redis.up()
  await eventually(async () => {
    const { remaining } = await one.hit(limitOf('probe', 1e6), 'x')
    assert.equal((await other.hit(limitOf('probe', 1e6), 'x')).remaining, remaining - 1)
  })
  assert.deepEqual(one.log.lines, ['warn', 'info'])

  const verdicts = await Promise.all([one, other, one, other].map((limiter) => limiter.hit(limit, 'bob')))
  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 3)
})

test('a frozen Redis delays only the first hits, by a quarter of a second', async (t) => {
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
  await eventually(async () => {
    await one.hit(limitOf('silent probe', 1e6), 'x')
    assert.deepEqual(one.log.lines, ['warn', 'info'])
  })
})

test('a strict limit waits for a slow Redis and still counts exactly', async (t) => {
  const [one, other] = [await node(t), await node(t)]
  const strict: Limit = { ...limitOf('strict slow', 3), strict: true }
  redis.freeze()
  t.after(() => redis.thaw())
  const asked = Promise.all([one, other, one, other, one, other].map((limiter) => limiter.hit(strict, 'ann')))
  // By the time this returns, a limit that is not strict has stopped waiting.
  await one.hit(limitOf('lenient', 3), 'ann')
  redis.thaw()
  assert.equal((await asked).filter(({ allowed }) => allowed).length, 3)
})

test('a strict limit refuses with 503 while Redis is frozen or down, and counts again afterwards', async (t) => {
  const one = await node(t)
  const strict: Limit = { ...limitOf('strict', 3), strict: true }
  const refusal = { status: 503, headers: { 'retry-after': '1' } }
  redis.freeze()
  t.after(() => redis.thaw())
  await Promise.all([
    assert.rejects(async () => one.hit(strict, 'ann'), refusal),
    assert.rejects(async () => one.hit(strict, 'bob'), refusal),
  ])
  assert.deepEqual(one.log.lines, ['warn'])
  redis.thaw()

  await redis.down()
  await assert.rejects(async () => one.hit(strict, 'bob'), refusal)
  const coming = one.hit(strict, 'eve')
  await redis.up()
  assert.equal((await coming).remaining, 2, 'a hit made just before Redis is back is not refused')
})

test('in Redis, hits from far ahead are dropped after a clock was set back, those within the clock tolerance are not', async (t) => {
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

test('a Redis that was never reachable delays neither hits nor closing', async (t) => {
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
  assert.ok(performance.now() - started < 1000)
  assert.deepEqual(log.lines, ['warn'])
})

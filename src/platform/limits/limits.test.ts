import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLimiter, type Limit, rateLimitHeaders, type Verdict } from '#platform/limits/limits.ts'

const silent = { info: () => {}, warn: () => {} }

const setup = ({ enabled = true } = {}) => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const limiter = createLimiter({ clock: { now: () => new Date(now) }, enabled, log: silent })
  const inMemory = (verdict: Verdict | Promise<Verdict>): Verdict => {
    assert.ok(!(verdict instanceof Promise), 'without Redis the verdict is not a promise')
    return verdict
  }
  return {
    hit: (limit: Limit, key: string, count?: number): Verdict => inMemory(limiter.hit(limit, key, count)),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const login: Limit = { name: 'login', max: 3, windowSeconds: 60 }

test('a limit refuses the hit after max, and allows one again when the oldest expires', () => {
  const { hit, pass } = setup()
  const verdict = { allowed: true, limit: 3, retryAfterSeconds: 0 }
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 2, resetSeconds: 60 })
  pass(10_500)
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 1, resetSeconds: 50 })
  pass(10_000)
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 0, resetSeconds: 40 })
  const refused = { ...verdict, allowed: false, remaining: 0 }
  assert.deepEqual(hit(login, 'ann'), { ...refused, resetSeconds: 40, retryAfterSeconds: 40 })
  pass(39_499)
  assert.deepEqual(hit(login, 'ann'), { ...refused, resetSeconds: 1, retryAfterSeconds: 1 })
  pass(1)
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 0, resetSeconds: 11 })
})

test('hits are counted separately for each key and each limit', () => {
  const { hit } = setup()
  for (let i = 0; i < 3; i++) hit(login, 'ann')
  assert.equal(hit(login, 'ann').allowed, false)
  assert.equal(hit(login, 'bob').allowed, true)
  assert.equal(hit({ ...login, name: 'register' }, 'ann').allowed, true)
})

test('a refused hit is not counted, however often a client tries', () => {
  const { hit, pass } = setup()
  for (let i = 0; i < 3; i++) hit(login, 'ann')
  for (let i = 0; i < 59; i++) {
    pass(1000)
    assert.equal(hit(login, 'ann').allowed, false)
  }
  pass(1000)
  assert.equal(hit(login, 'ann').remaining, 2)
})

test('a window that was filled under a higher maximum opens once enough hits have expired', () => {
  const { hit, pass } = setup()
  for (let i = 0; i < 3; i++) {
    hit(login, 'ann')
    pass(10_000)
  }
  assert.deepEqual(hit({ ...login, max: 1 }, 'ann'), {
    allowed: false,
    limit: 1,
    remaining: 0,
    resetSeconds: 50,
    retryAfterSeconds: 50,
  })
})

test('a limit allows max hits in any window, several at once or none of them, and refuses none that fits', () => {
  const wait = fc.integer({ min: 0, max: 900 })
  const count = fc.integer({ min: 1, max: 5 })
  const limit: Limit = { name: 'model', max: 5, windowSeconds: 2 }
  fc.assert(
    fc.property(fc.array(fc.tuple(wait, count), { maxLength: 120 }), (hits) => {
      const { hit, pass } = setup()
      let now = 0
      let counted: number[] = []
      for (const [ms, count] of hits) {
        pass(ms)
        now += ms
        counted = counted.filter((time) => time > now - 2000)
        const excess = counted.length + count - 5
        const fits = excess <= 0
        const verdict = hit(limit, 'k', count)
        if (fits) counted.push(...Array<number>(count).fill(now))
        const next = counted[fits ? 0 : excess - 1]!
        assert.deepEqual(verdict, {
          allowed: fits,
          limit: 5,
          remaining: 5 - counted.length,
          resetSeconds: Math.ceil((next + 2000 - now) / 1000),
          retryAfterSeconds: fits ? 0 : Math.ceil((next + 2000 - now) / 1000),
        })
      }
    }),
    { seed: 6238, numRuns: 300 },
  )
})

test('a clock that is set back by an hour does not leave a key blocked for an hour', () => {
  const { hit, pass } = setup()
  for (let i = 0; i < 4; i++) hit(login, 'ann')
  pass(-3_600_000)
  assert.equal(hit(login, 'ann').allowed, true)
})

test('hits still count when the clock goes back by less than the tolerance', () => {
  const { hit, pass } = setup()
  for (let i = 0; i < 2; i++) hit(login, 'ann')
  pass(-10_000)
  assert.equal(hit(login, 'ann').remaining, 0)
  assert.deepEqual(hit(login, 'ann').retryAfterSeconds, 70)
  pass(-1)
  assert.equal(hit(login, 'ann').remaining, 2)
})

test('a flood of keys against one limit evicts no key of another limit', () => {
  const { hit } = setup()
  for (let i = 0; i < 3; i++) hit(login, 'ann')
  for (let i = 0; i < 60_000; i++) hit({ ...login, name: 'reads' }, `address ${i}`)
  assert.equal(hit(login, 'ann').allowed, false)
})

test('a flood of keys evicts the least recently used ones, not one in use', () => {
  const { hit } = setup()
  hit(login, 'first')
  for (let i = 0; i < 60_000; i++) {
    hit(login, `address ${i}`)
    if (i % 10_000 === 0) hit(login, 'in use')
  }
  assert.equal(hit(login, 'first').remaining, 2)
  assert.equal(hit(login, 'in use').allowed, false)
})

test('limits that are switched off allow every hit', () => {
  const { hit } = setup({ enabled: false })
  const free = {
    unlimited: true,
    allowed: true,
    limit: 3,
    remaining: 3,
    resetSeconds: 0,
    retryAfterSeconds: 0,
  }
  for (let i = 0; i < 10; i++) assert.deepEqual(hit(login, 'ann'), free)
})

test('the RateLimit and Retry-After headers match the verdict', () => {
  const { hit } = setup()
  const headers = {
    'ratelimit-limit': '3',
    'ratelimit-remaining': '2',
    'ratelimit-reset': '60',
    'ratelimit-policy': `"${login.name}";q=3;w=60`,
    ratelimit: `"${login.name}";r=2;t=60`,
  }
  assert.deepEqual(rateLimitHeaders(login, hit(login, 'ann')), headers)
  for (let i = 0; i < 2; i++) hit(login, 'ann')
  assert.deepEqual(rateLimitHeaders(login, hit(login, 'ann')), {
    ...headers,
    'ratelimit-remaining': '0',
    ratelimit: `"${login.name}";r=0;t=60`,
    'retry-after': '60',
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLimiter, type Limit, rateLimitHeaders, type Verdict } from '#platform/limits.ts'

const silent = { info: () => {}, warn: () => {} }

const setup = ({ enabled = true } = {}) => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const limiter = createLimiter({ clock: { now: () => new Date(now) }, enabled, log: silent })
  const inMemory = (verdict: Verdict | Promise<Verdict>): Verdict => {
    assert.ok(!(verdict instanceof Promise), 'an answer from memory is there at once')
    return verdict
  }
  return {
    hit: (limit: Limit, key: string, cost?: number): Verdict => inMemory(limiter.hit(limit, key, cost)),
    peek: (limit: Limit, key: string) => inMemory(limiter.peek(limit, key)),
    forget: (limit: Limit, key: string) => void limiter.forget(limit, key),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const login: Limit = { name: 'login', max: 3, windowSeconds: 60 }

test('the limit is reached after max hits and frees up hit by hit', () => {
  const { hit, pass } = setup()
  const verdict = { allowed: true, limit: 3, retryAfterSeconds: 0 }
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 2, resetSeconds: 60 })
  pass(10_500)
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 1, resetSeconds: 60 })
  pass(10_000)
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 0, resetSeconds: 60 })
  const refused = { ...verdict, allowed: false, remaining: 0 }
  assert.deepEqual(hit(login, 'ann'), { ...refused, resetSeconds: 60, retryAfterSeconds: 40 })
  pass(39_499)
  assert.deepEqual(hit(login, 'ann'), { ...refused, resetSeconds: 21, retryAfterSeconds: 1 })
  pass(1)
  assert.deepEqual(hit(login, 'ann'), { ...verdict, remaining: 0, resetSeconds: 60 })
})

test('keys and limits do not touch each other', () => {
  const { hit } = setup()
  for (let i = 0; i < 3; i++) hit(login, 'ann')
  assert.equal(hit(login, 'ann').allowed, false)
  assert.equal(hit(login, 'bob').allowed, true)
  assert.equal(hit({ ...login, name: 'register' }, 'ann').allowed, true)
})

test('a refused hit is not counted, however often it is tried', () => {
  const { hit, pass } = setup()
  for (let i = 0; i < 3; i++) hit(login, 'ann')
  for (let i = 0; i < 59; i++) {
    pass(1000)
    assert.equal(hit(login, 'ann').allowed, false)
  }
  pass(1000)
  assert.equal(hit(login, 'ann').remaining, 2)
})

test('a peek tells and counts nothing, and what is forgotten is free again', () => {
  const { hit, peek, forget } = setup()
  assert.deepEqual(peek(login, 'ann'), {
    allowed: true,
    limit: 3,
    remaining: 3,
    resetSeconds: 0,
    retryAfterSeconds: 0,
  })
  for (let i = 0; i < 3; i++) hit(login, 'ann')
  assert.equal(peek(login, 'ann').retryAfterSeconds, 60)
  assert.equal(peek(login, 'ann').allowed, false)
  forget(login, 'ann')
  assert.equal(peek(login, 'ann').remaining, 3)
})

test('a hit can weigh more than one, and too heavy a one says when it fits', () => {
  const { hit, pass } = setup()
  assert.equal(hit(login, 'ann').remaining, 2)
  pass(10_000)
  assert.equal(hit(login, 'ann').remaining, 1)
  assert.deepEqual(hit(login, 'ann', 3), {
    allowed: false,
    limit: 3,
    remaining: 1,
    resetSeconds: 60,
    retryAfterSeconds: 60,
  })
  assert.equal(hit(login, 'ann', 2).retryAfterSeconds, 50)
  assert.equal(hit(login, 'bob', 3).remaining, 0)
  assert.equal(hit(login, 'eve', 3).remaining, 0)
  pass(55_000)
  hit(login, 'somebody else')
  pass(5_000)
  assert.deepEqual(hit(login, 'eve', 4), {
    allowed: false,
    limit: 3,
    remaining: 3,
    resetSeconds: 0,
    retryAfterSeconds: 60,
  })
})

test('never more than max hits in any window, and never a refusal without cause', () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 900 }), cost: fc.integer({ min: 1, max: 3 }) })
  const limit: Limit = { name: 'model', max: 5, windowSeconds: 2 }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const { hit, pass } = setup()
      let now = 0
      let counted: number[] = []
      for (const { wait, cost } of steps) {
        pass(wait)
        now += wait
        counted = counted.filter((time) => time > now - 2000)
        const fits = counted.length + cost <= 5
        const verdict = hit(limit, 'k', cost)
        if (fits) counted.push(...Array<number>(cost).fill(now))
        const blocker = counted[counted.length + cost - 6]
        assert.deepEqual(verdict, {
          allowed: fits,
          limit: 5,
          remaining: 5 - counted.length,
          resetSeconds: Math.ceil((counted.at(-1)! + 2000 - now) / 1000),
          retryAfterSeconds: fits ? 0 : Math.ceil((blocker! + 2000 - now) / 1000),
        })
      }
    }),
    { seed: 6238, numRuns: 300 },
  )
})

test('a clock that is set back locks nobody out', () => {
  const { hit, pass } = setup()
  for (let i = 0; i < 4; i++) hit(login, 'ann')
  pass(-3_600_000)
  assert.equal(hit(login, 'ann').allowed, true)
})

test('a clock that goes back a little forgets nothing', () => {
  const { hit, pass } = setup()
  for (let i = 0; i < 2; i++) hit(login, 'ann')
  pass(-10_000)
  assert.equal(hit(login, 'ann').remaining, 0)
  assert.deepEqual(hit(login, 'ann').retryAfterSeconds, 70)
  pass(-1)
  assert.equal(hit(login, 'ann').remaining, 2)
})

test('a flood against one limit erases nothing of another', () => {
  const { hit, peek } = setup()
  for (let i = 0; i < 3; i++) hit(login, 'ann')
  for (let i = 0; i < 200_000; i++) hit({ ...login, name: 'reads' }, `address ${i}`)
  assert.equal(peek(login, 'ann').allowed, false)
})

test('a flood of keys is forgotten oldest first, and a key in use survives it', () => {
  const { hit, peek } = setup()
  hit(login, 'first')
  for (let i = 0; i < 200_000; i++) {
    hit(login, `address ${i}`)
    if (i % 10_000 === 0) hit(login, 'in use')
  }
  assert.equal(peek(login, 'first').remaining, 3)
  assert.equal(peek(login, 'in use').allowed, false)
})

test('switched off, everything is allowed', async () => {
  const { hit, peek, forget } = setup({ enabled: false })
  const free = {
    unlimited: true,
    allowed: true,
    limit: 3,
    remaining: 3,
    resetSeconds: 0,
    retryAfterSeconds: 0,
  }
  for (let i = 0; i < 10; i++) assert.deepEqual(hit(login, 'ann'), free)
  assert.deepEqual(peek(login, 'ann'), free)
  await forget(login, 'ann')
})

test('the headers say what the verdict says', () => {
  const { hit } = setup()
  const headers = { 'ratelimit-limit': '3', 'ratelimit-remaining': '2', 'ratelimit-reset': '60' }
  assert.deepEqual(rateLimitHeaders(hit(login, 'ann')), headers)
  hit(login, 'ann', 2)
  assert.deepEqual(rateLimitHeaders(hit(login, 'ann')), {
    ...headers,
    'ratelimit-remaining': '0',
    'retry-after': '60',
  })
})

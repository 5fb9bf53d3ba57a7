import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Signals } from '#platform/db/signals.ts'
import { createResponseCache } from './cache.ts'
import { cachedResponse } from './cached-response.ts'

const signals = { reliable: true, on: () => {}, onGap: () => {} } as unknown as Signals

test('the response cache counts the length of URLs: long ones leave room for fewer responses', async () => {
  const responses = createResponseCache(signals)
  const value = cachedResponse('small', { route: '/', type: 'text/plain' })
  const address = (n: number, length: number) => `/${n}?${'x'.repeat(length)}`
  const kept = async (count: number, length: number) => {
    for (let n = 0; n < count; n++)
      await responses.get(address(n, length), async () => ({ value, shown: { posts: [1] } }))
    return Array.from({ length: count }, (_, n) => responses.find(address(n, length))).filter(Boolean).length
  }
  assert.equal(await kept(5_000, 20), 5_000)
  const long = await kept(5_000, 15_000)
  assert.ok(long > 500 && long * 60_000 < 80 * 1024 * 1024, `${long} are kept`)
})

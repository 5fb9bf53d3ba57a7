import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Signals } from '#platform/db/signals.ts'

/** A cache whose loads end when the test says so, and signals that the test gives. */
const setup = ({ maxAgeMs }: { maxAgeMs?: number } = {}) => {
  const listeners: ((key: string) => void)[] = []
  const gapListeners: (() => void)[] = []
  const loads: { key: string; answer(value: string | undefined): void; fail(error: Error): void }[] = []
  const state = { reliable: true }
  const signals = {
    on: (_topic: string, listener: (key: string) => void) => void listeners.push(listener),
    onGap: (listener: () => void) => void gapListeners.push(listener),
    get reliable() {
      return state.reliable
    },
  } as unknown as Signals
  const cache = signalledCache<string | undefined>(signals, {
    topic: 'things',
    max: 100,
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
    load: (key) => {
      const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
      loads.push({ key, answer: resolve, fail: reject })
      return promise
    },
  })
  return {
    cache,
    loads,
    state,
    signal: (key: string) => {
      for (const listener of listeners) listener(key)
    },
    gap: () => {
      for (const listener of gapListeners) listener()
    },
    /** Asks, and has the load answered with this. */
    async learn(key: string, value: string | undefined) {
      const asked = cache.get(key)
      loads.at(-1)!.answer(value)
      assert.equal(await asked, value)
    },
  }
}

test('signalled cache: a loaded value is cached until a signal for its key', async () => {
  const { cache, loads, signal, learn } = setup()
  await learn('a', 'old')
  assert.equal(cache.get('a'), 'old', 'without a promise')
  assert.equal(cache.peek('a'), 'old')
  signal('b')
  assert.equal(cache.peek('a'), 'old')
  signal('a')
  assert.equal(cache.peek('a'), undefined)
  await learn('a', 'new')
  assert.equal(cache.peek('a'), 'new')
  assert.equal(loads.length, 2)
})

test('signalled cache: concurrent gets share one load', async () => {
  const { cache, loads } = setup()
  const asked = [cache.get('a'), cache.get('a')]
  assert.equal(loads.length, 1)
  loads[0]!.answer('once')
  assert.deepEqual(await Promise.all(asked), ['once', 'once'])
})

test('signalled cache: a value that changes while it is loaded is returned but not cached', async () => {
  const { cache, loads, signal } = setup()
  const early = cache.get('a')
  signal('a')
  const late = cache.get('a')
  assert.equal(loads.length, 2, 'whoever asks after the change does not wait for a load from before it')
  loads[1]!.answer('new')
  assert.equal(await late, 'new')
  loads[0]!.answer('old')
  assert.equal(await early, 'old')
  assert.equal(cache.peek('a'), 'new')
})

test('signalled cache: a load that is overtaken by a change leaves nothing behind', async () => {
  const { cache, loads, signal } = setup()
  const asked = cache.get('a')
  signal('a')
  loads[0]!.answer('old')
  assert.equal(await asked, 'old')
  assert.equal(cache.peek('a'), undefined)
})

test('signalled cache: a gap empties the cache and also discards running loads', async () => {
  const { cache, loads, learn, gap } = setup()
  await learn('a', 'old')
  const asked = cache.get('b')
  gap()
  assert.equal(cache.peek('a'), undefined)
  loads.at(-1)!.answer('old')
  assert.equal(await asked, 'old')
  assert.equal(cache.peek('b'), undefined)
})

test('signalled cache: while signals are unreliable nothing is cached and nothing cached is used', async () => {
  const { cache, state, loads, learn } = setup()
  await learn('a', 'old')
  state.reliable = false
  assert.equal(cache.peek('a'), undefined)
  await learn('a', 'new')
  await learn('b', 'new')
  assert.equal(loads.length, 3)
  state.reliable = true
  assert.equal(cache.peek('b'), undefined)
})

test('signalled cache: a load that began while signals were unreliable is not cached', async () => {
  const { cache, state, loads } = setup()
  state.reliable = false
  const asked = cache.get('a')
  state.reliable = true
  loads[0]!.answer('old')
  await asked
  assert.equal(cache.peek('a'), undefined)
})

test('signalled cache: a load during which signals became unreliable is not cached', async () => {
  const { cache, state, loads } = setup()
  const asked = cache.get('a')
  state.reliable = false
  loads[0]!.answer('old')
  await asked
  state.reliable = true
  assert.equal(cache.peek('a'), undefined)
})

test('signalled cache: failures and missing values are not cached', async () => {
  const { cache, loads, learn } = setup()
  const failing = cache.get('a')
  loads[0]!.fail(new Error('away'))
  await assert.rejects(async () => failing, /away/)
  await learn('a', undefined)
  await learn('a', 'there')
  assert.equal(loads.length, 3)
  assert.equal(cache.peek('a'), 'there')
})

test('signalled cache: an expired value is loaded again', async () => {
  const { cache, learn } = setup({ maxAgeMs: 5 })
  await learn('a', 'old')
  await sleep(6)
  assert.equal(cache.peek('a'), undefined)
})
